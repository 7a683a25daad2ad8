package dev.skep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.shell.SandboxedCommands;
import dev.skep.shell.redact.Redactor;
import dev.skep.testkit.Eventually;
import dev.skep.transport.route.Json;
import dev.skep.wire.call.HeartbeatAnswer;
import dev.skep.wire.call.HubCall;
import dev.skep.wire.call.OutputChunk;
import dev.skep.wire.call.ResultStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker with one slot, and a hub that hands out what it likes, asked or not. */
@Timeout(120)
class HubsThatAskForTooMuchTest {
    private static final String SERVER = "01K0SERVER0000000000000000";

    @TempDir Path folder;
    private final Liar hub = new Liar();
    private volatile Consents allows = Consents.OF_OWN_HUB;
    private ServerInstances serverInstances;
    private JobWorker worker;

    @BeforeEach
    void start() {
        SandboxedCommands commands = WorkerFixture.commands(folder);
        HostRules rules = WorkerFixture.rules(folder, commands);
        serverInstances =
                new ServerInstances(
                        folder.resolve("servers"), rules, commands, InstantSource.system());
        serverInstances.allowedTo(_ -> allows.has(Consent.JOBS));
        worker =
                new JobWorker(
                        hub,
                        new HubConsent("http://liar", () -> allows),
                        new JobWorker.Parts(
                                "0.1.0",
                                List.of(
                                        new ShellJob(rules, commands),
                                        new ServerJob(serverInstances, rules)),
                                new HostSlots(1),
                                Map::of,
                                serverInstances::states,
                                new Redactor(List.of())));
        worker.start();
    }

    @AfterEach
    void close() throws InterruptedException {
        allows = Consents.NONE;
        serverInstances.endWhatIsNotAllowed();
        worker.close();
        serverInstances.close();
    }

    @Test
    void a_run_ends_when_what_allowed_it_is_withdrawn() throws Exception {
        hub.give("r1", "shell", Map.of("command", "touch began; sleep 1000"));
        awaitFile("began");
        allows = Consents.USUAL;
        worker.endWhatIsNotAllowed();
        JobResult result = hub.result("r1");
        assertThat(result.status()).isEqualTo(ResultStatus.FAILED);
        assertThat(result.detail().get("error")).asString().contains("does not allow 'jobs'");
    }

    @Test
    void a_hub_stops_its_server_without_consent_and_starts_nothing() throws Exception {
        hub.give("r1", "server.start", server("sleep 1000"));
        long pid = (Long) Objects.requireNonNull(hub.result("r1").detail().get("pid"));
        ProcessHandle running = ProcessHandle.of(pid).orElseThrow();
        allows = Consents.USUAL;
        for (String type : List.of("server.start", "server.restart", "server.status")) {
            hub.give(type, type, server("sleep 1000"));
            assertThat(hub.result(type).detail().get("error"))
                    .asString()
                    .contains("does not allow 'jobs'");
        }
        assertThat(running.isAlive()).isTrue();

        hub.give("r2", "server.stop", server("sleep 1000"));
        assertThat(hub.result("r2").detail()).containsEntry("state", "stopped");
        assertThat(running.isAlive()).isFalse();
    }

    @Test
    void ids_that_a_hub_makes_up_leave_nothing_behind() throws Exception {
        for (String type : List.of("server.stop", "server.status")) {
            for (int i = 0; i < 20; i++) {
                String made = "01K0MADEUP%016d".formatted(i);
                hub.give(
                        type + i,
                        type,
                        Map.of("serverInstanceId", made, "spec", Map.of("command", "true")));
                JobResult refused = hub.result(type + i);
                assertThat(refused.status()).isEqualTo(ResultStatus.FAILED);
                assertThat(refused.detail().get("error")).asString().contains("no such server");
            }
        }
        assertThat(serverInstances.states("http://liar")).isEmpty();
        assertThat(serverInstances.states("http://other")).isEmpty();
        assertThat(folder.resolve("servers")).doesNotExist();
    }

    @Test
    void how_much_a_host_does_at_once_is_its_own_word() throws Exception {
        hub.give("r1", "shell", Map.of("command", "touch began; sleep 1000"));
        awaitFile("began");
        // To a host that is full and looks for steering only, and with its answers.
        for (int i = 0; i < 40; i++) {
            hub.giveUnasked("u" + i, "shell", Map.of("command", "touch unasked"));
        }
        for (int i = 0; i < 40; i++) {
            hub.giveToFull("s" + i, "shell", Map.of("command", "touch beyond"));
        }
        for (int i = 0; i < 40; i++) {
            JobResult refused = hub.result("s" + i);
            assertThat(refused.status()).isEqualTo(ResultStatus.FAILED);
            assertThat(refused.detail().get("error")).asString().contains("no more jobs at once");
        }
        assertThat(folder.resolve("home/beyond")).doesNotExist();
        assertThat(folder.resolve("home/unasked")).doesNotExist();
    }

    private static Map<String, Object> server(String command) {
        return Map.of(
                "serverInstanceId",
                SERVER,
                "spec",
                Map.of("command", command, "restart", "always"));
    }

    private void awaitFile(String name) {
        Path file = folder.resolve("home").resolve(name);
        Eventually.holds(name + " is there", () -> Files.exists(file));
    }

    /** Hands out what it has, also to a host that is full, and another with each report. */
    private static final class Liar implements DispatchClient {
        private final BlockingQueue<AssignedRun> runs = new LinkedBlockingQueue<>();
        private final BlockingQueue<AssignedRun> toFull = new LinkedBlockingQueue<>();
        private final BlockingQueue<AssignedRun> unasked = new LinkedBlockingQueue<>();
        private final Map<String, BlockingQueue<JobResult>> results = new ConcurrentHashMap<>();
        private final AtomicInteger jobs = new AtomicInteger();

        void give(String id, String type, Map<String, Object> payload) {
            runs.add(run(id, type, payload));
        }

        /** To a host that said it has room for steering only. */
        void giveToFull(String id, String type, Map<String, Object> payload) {
            toFull.add(run(id, type, payload));
        }

        /** With the next report, whether another is wanted or not. */
        void giveUnasked(String id, String type, Map<String, Object> payload) {
            unasked.add(run(id, type, payload));
        }

        private AssignedRun run(String id, String type, Map<String, Object> payload) {
            return new AssignedRun(
                    name(),
                    "job-" + jobs.incrementAndGet(),
                    id,
                    type,
                    Json.fields(Json.text(payload)),
                    1,
                    Optional.empty());
        }

        JobResult result(String id) throws InterruptedException {
            return Objects.requireNonNull(
                    of(id).poll(30, TimeUnit.SECONDS), () -> id + " was not reported");
        }

        private BlockingQueue<JobResult> of(String id) {
            return results.computeIfAbsent(id, _ -> new LinkedBlockingQueue<>());
        }

        @Override
        public String name() {
            return "http://liar";
        }

        @Override
        public HeartbeatAnswer beat(HubCall.Heartbeat beat) {
            return new HeartbeatAnswer(Duration.ofSeconds(10), Map.of());
        }

        @Override
        public Optional<AssignedRun> next(Duration wait, AcceptedWork acceptedWork) {
            try {
                return Optional.ofNullable(
                        (acceptedWork == AcceptedWork.FOR_STEERING ? toFull : runs)
                                .poll(1, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }

        @Override
        public void print(String runId, int attempt, List<OutputChunk> chunks) {}

        @Override
        public Optional<AssignedRun> report(
                String runId, int attempt, JobResult result, boolean more) {
            of(runId).add(result);
            return Optional.ofNullable(unasked.poll());
        }
    }
}
