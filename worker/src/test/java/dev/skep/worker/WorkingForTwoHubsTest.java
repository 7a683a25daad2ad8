package dev.skep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.DispatchTestHub;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.job.JobKind;
import dev.skep.shell.redact.Redactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One machine that is joined to two hubs and does one thing at a time. */
class WorkingForTwoHubsTest {
    @TempDir Path folder;
    private final List<Step> history = Collections.synchronizedList(new ArrayList<>());
    private final Semaphore done = new Semaphore(0);
    private final List<JobWorker> workers = new ArrayList<>();
    private DispatchTestHub one;
    private DispatchTestHub other;

    private record Step(String job, boolean begins) {}

    @BeforeEach
    void open() throws IOException {
        one = hub("one");
        other = hub("other");
    }

    private DispatchTestHub hub(String name) throws IOException {
        DispatchTestHub hub = new DispatchTestHub(Files.createDirectory(folder.resolve(name)));
        hub.eventBus.subscribe(
                event -> {
                    if (event instanceof FleetEvent.JobRunDone) {
                        done.release();
                    }
                });
        hub.beat("h1");
        return hub;
    }

    /** A worker for each hub, as a runner has them. */
    private void startWorking() {
        JobType shell = new Noted(WorkerFixture.shellJob(folder));
        var parts =
                new JobWorker.Parts(
                        "0.1.0",
                        List.of(shell),
                        new HostSlots(1),
                        new HostMetrics(folder),
                        _ -> Map.of(),
                        new Redactor(List.of()));
        for (DispatchTestHub hub : List.of(one, other)) {
            var httpHubTransport =
                    new HttpHubTransport(hub.client(), hub.url(), () -> WorkerFixture.HOST);
            workers.add(
                    new JobWorker(
                            new HubDispatchClient(hub.url(), List.of(httpHubTransport), "w"),
                            HubConsent.toAll(hub.url()),
                            parts));
        }
        workers.forEach(JobWorker::start);
    }

    @AfterEach
    void close() {
        workers.forEach(JobWorker::close);
        one.close();
        other.close();
    }

    @Test
    void it_never_does_two_things_at_once_and_both_hubs_get_their_turn() throws Exception {
        for (int i = 0; i < 20; i++) {
            one.create();
        }
        String last = other.create();
        startWorking();
        awaitDone(21);

        assertThat(history).hasSize(42);
        for (int i = 0; i < history.size(); i += 2) {
            assertThat(history.get(i + 1)).isEqualTo(new Step(history.get(i).job(), false));
        }
        assertThat(history.getLast().job()).isNotEqualTo(last);
    }

    @Test
    void a_hub_without_work_does_not_keep_the_place_from_one_that_has() throws Exception {
        startWorking();
        long from = System.nanoTime();
        for (DispatchTestHub hub : List.of(other, one, other)) {
            hub.create();
            awaitDone(1);
        }
        // Each idle hub is listened to for a second, not for the twenty of a poll.
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(15));
    }

    private void awaitDone(int runs) throws InterruptedException {
        assertThat(done.tryAcquire(runs, 60, TimeUnit.SECONDS)).isTrue();
    }

    /** Does a job and notes when it begins and ends. */
    private final class Noted implements JobType {
        private final JobType type;

        Noted(JobType type) {
            this.type = type;
        }

        @Override
        public Set<JobKind> kinds() {
            return type.kinds();
        }

        @Override
        public JobResult run(AssignedRun run, RunOutput output) throws InterruptedException {
            history.add(new Step(run.jobId(), true));
            JobResult result = type.run(run, output);
            history.add(new Step(run.jobId(), false));
            return result;
        }
    }
}
