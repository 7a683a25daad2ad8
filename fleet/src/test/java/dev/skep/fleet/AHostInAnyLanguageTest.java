package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.directory.host.HostKey;
import dev.skep.directory.host.HubStatement;
import dev.skep.directory.host.LinkStatement;
import dev.skep.directory.secret.SigningKey;
import dev.skep.directory.secret.VerifyingKey;
import dev.skep.kernel.row.Timestamps;
import dev.skep.testkit.Eventually;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import dev.skep.wire.call.HubCall;
import dev.skep.wire.call.ResultStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/worker-protocol.md is enough: its examples are true, and the hosts written from it work. */
@Timeout(180)
class AHostInAnyLanguageTest {
    private static final Path DOCS = Path.of("..", "docs").toAbsolutePath().normalize();

    /** Of the page's example only. */
    private static final String PRIVATE_KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

    @TempDir Path folder;
    private Optional<Process> worker = Optional.empty();

    @AfterEach
    void end() throws InterruptedException {
        kill();
    }

    @Test
    void the_text_that_a_host_signs_is_the_pages_byte_by_byte() throws Exception {
        JsonFields sent = Json.fields(block("json token"));
        LinkStatement statement =
                new LinkStatement(
                        LinkStatement.Purpose.TOKEN,
                        sent.text("hubId"),
                        sent.text("nonce"),
                        sent.text("hostId"),
                        sent.text("publicKey"),
                        sent.text("place"),
                        Timestamps.parse(sent.text("at")),
                        Optional.of(sent.text("address")));
        byte[] bytes = statement.bytes();
        assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(block("text host-signs"));

        SigningKey key = SigningKey.parse(PRIVATE_KEY);
        assertThat(key.open()).hasToString(sent.text("publicKey"));
        assertThat(Base64.getUrlEncoder().withoutPadding().encodeToString(key.sign(bytes)))
                .isEqualTo(sent.text("signature"));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
        assertThat(Files.readString(DOCS.resolve("worker-protocol.md")))
                .contains(
                        PRIVATE_KEY,
                        HexFormat.of().formatHex(digest),
                        "has %d bytes".formatted(bytes.length));
    }

    @Test
    void the_text_that_a_hub_signs_is_the_pages_too() throws Exception {
        JsonFields challenge = Json.fields(block("json challenged"));
        String address = Json.fields(block("json challenge")).text("address");
        HubStatement said =
                new HubStatement(
                        challenge.text("hubId"),
                        challenge.text("nonce"),
                        address,
                        challenge.flag("ownAddress"));
        assertThat(said.isSigned(challenge.text("hubKey"), challenge.text("signature"))).isTrue();
        byte[] shown = block("text hub-signs").getBytes(StandardCharsets.UTF_8);
        assertThat(
                        VerifyingKey.parse(challenge.text("hubKey"))
                                .orElseThrow()
                                .verifies(
                                        shown,
                                        Base64.getUrlDecoder().decode(challenge.text("signature"))))
                .isTrue();
        assertThat(new HostKey(1, SigningKey.parse(PRIVATE_KEY)).publicKey())
                .isNotEqualTo(challenge.text("hubKey"));
    }

    @Test
    void what_the_page_shows_of_working_is_what_a_hub_reads() throws Exception {
        HubCall.Heartbeat beat = HubCall.Heartbeat.read(Json.fields(block("json heartbeat")));
        assertThat(beat.allows()).contains(List.of("jobs"));
        assertThat(beat.running()).hasSize(1);
        assertThat(HubCall.Output.readChunks(Json.fields(block("json output")))).hasSize(1);
        assertThat(HubCall.Report.read("run", false, Json.fields(block("json result"))).status())
                .hasToString("SUCCEEDED");
        assertThat(beat.answer(200, Json.fields(block("json heartbeat-answer"))).orders())
                .hasSize(1);
        assertThat(
                        new HubCall.Report(
                                        "run", 1, ResultStatus.SUCCEEDED, Optional.empty(), false)
                                .answer(200, Json.fields(block("json settled")))
                                .settlement())
                .isEqualTo("applied");
    }

    private static String block(String info) throws IOException {
        return CodeBlocks.of(DOCS.resolve("worker-protocol.md")).stream()
                .filter(block -> block.info().equals(info))
                .map(CodeBlocks.Block::text)
                .findFirst()
                .orElseThrow(() -> new AssertionError("the page has no block: " + info));
    }

    @Test
    void the_host_in_python_is_short_enough_to_read() throws Exception {
        assertThat(Files.readAllLines(DOCS.resolve("examples/worker.py"))).hasSizeLessThan(81);
    }

    @ParameterizedTest
    @EnumSource
    void it_enrols_works_obeys_and_comes_back(WorkerLanguage language) throws Exception {
        List<String> program = language.command(DOCS.resolve("examples")).orElse(List.of());
        assumeTrue(!program.isEmpty(), language.howToInstall());
        Path box = Files.createDirectories(folder.resolve("box"));
        Path marker = box.resolve("never");
        Files.writeString(box.resolve("allowed"), "echo héllo; echo two >&2\nsleep 99\nexit 3\n");
        Path data = folder.resolve("hub");
        try (HubNode hub = HubNode.open(data, 0)) {
            HttpVisitor admin = HttpVisitor.local(hub.url, data);
            start(box, program, hub.url, code(admin));
            String host = new Host(admin, box).isOnline();
            var jobs = new Jobs(admin, host);

            JsonFields done = jobs.ended(jobs.create("echo héllo; echo two >&2", 60));
            assertThat(done.shown("status")).isEqualTo("succeeded");
            assertThat(jobs.printed(done)).isEqualTo("héllo\ntwo\n");
            assertThat(jobs.ended(jobs.create("exit 3", 60)).json())
                    .contains("\"failed\"", "\"exitStatus\":3");

            JsonFields refused = jobs.ended(jobs.create("touch " + marker, 60));
            assertThat(refused.json()).contains("does not list the command");
            assertThat(marker).doesNotExist();

            assertThat(jobs.ended(jobs.create("sleep 99", 1)).shown("status"))
                    .isEqualTo("timed_out");
            String sleeping = jobs.create("sleep 99", 60);
            jobs.runs(sleeping);
            jobs.cancel(sleeping);
            assertThat(jobs.ended(sleeping).shown("status")).isEqualTo("cancelled");

            kill();
            start(box, program, hub.url);
            assertThat(jobs.ended(jobs.create("echo héllo; echo two >&2", 60)).shown("status"))
                    .isEqualTo("succeeded");
        }
    }

    private void start(Path box, List<String> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(arguments));
        worker =
                Optional.of(
                        new ProcessBuilder(command)
                                .directory(box.toFile())
                                .redirectErrorStream(true)
                                .redirectOutput(folder.resolve("worker.log").toFile())
                                .start());
    }

    private void kill() throws InterruptedException {
        if (worker.isPresent()) {
            worker.get().destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    private static String code(HttpVisitor admin) throws Exception {
        return admin.post("/api/orgs/default/pairing-codes", Map.of()).text("code");
    }

    /** The host as the hub sees it. */
    private record Host(HttpVisitor admin, Path box) {
        String isOnline() {
            Eventually.holds("the host is online", () -> status().equals("online"));
            return id();
        }

        private String id() {
            try {
                return Files.readString(box.resolve("worker.id"));
            } catch (IOException notYet) {
                return "none";
            }
        }

        private String status() throws Exception {
            String answer = admin.get("/api/orgs/default/hosts/" + id()).body();
            return Json.fields(answer).object("host").map(h -> h.shown("status")).orElse("");
        }
    }

    /** Jobs for one host. */
    private record Jobs(HttpVisitor admin, String host) {
        private static final String ALL = "/api/orgs/default/jobs";

        String create(String command, int seconds) throws Exception {
            Map<String, Object> job = new HashMap<>();
            job.put("hostId", host);
            job.put("type", "shell");
            job.put("payload", Map.of("command", command));
            job.put("timeoutSeconds", seconds);
            return admin.post(ALL, job).text("id");
        }

        JsonFields show(String job) throws Exception {
            return Json.fields(admin.get(ALL + "/" + job).body());
        }

        void runs(String job) {
            Eventually.holds("it runs", () -> show(job).shown("status").equals("running"));
        }

        void cancel(String job) throws Exception {
            admin.post(ALL + "/" + job + "/cancel", Map.of());
        }

        JsonFields ended(String job) throws Exception {
            Eventually.holds(
                    "it is over",
                    () -> !List.of("pending", "running").contains(show(job).shown("status")));
            return show(job);
        }

        String printed(JsonFields job) throws Exception {
            String run = job.object("run").orElseThrow().shown("id");
            String path = ALL + "/" + job.shown("id") + "/runs/" + run + "/output";
            return String.join(
                    "",
                    Json.fields(admin.get(path).body()).list("chunks").stream()
                            .map(chunk -> chunk.shown("text"))
                            .toList());
        }
    }
}
