package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.Main;
import dev.skep.cli.admin.AdminFile;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.JavaCommand;
import dev.skep.testkit.Killable;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A hub and a runner as processes; either is killed while somebody changes an agent. */
@Timeout(300)
class AgentFilesUnderKillsTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String KEY = "the-key-of-this-test";
    private static final String FILE = "prompt: x\nmodel: m\nauto_start: false\n";

    @TempDir private Path folder = Path.of("");
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Killable> processes = new ArrayList<>();
    private @Nullable Killable hub;
    private @Nullable Killable runner;
    private String agent = "";

    @BeforeEach
    void open() throws IOException {
        int port = freePort();
        hub =
                process(
                        "hub",
                        Map.of(),
                        "hub",
                        "--supervisor",
                        "--hostname",
                        "hub",
                        "--listen",
                        "127.0.0.1:" + port);
        Path agents = Files.createDirectories(folder.resolve("box/agents"));
        Files.writeString(agents.resolve("ada.yaml"), FILE);
        runner =
                process(
                        "box",
                        Map.of(
                                "HUB_URLS",
                                "http://127.0.0.1:" + port,
                                "SKEP_ALLOW",
                                "steer,agents"),
                        "run",
                        "--hostname",
                        "box",
                        "--listen",
                        "127.0.0.1:0");
        agent =
                Eventually.present(
                        "ada's first version is at the hub",
                        LONG,
                        () ->
                                ask("GET", "/api/orgs/default/view/agents", "")
                                        .map(list -> list.list("rows"))
                                        .orElse(List.of())
                                        .stream()
                                        .filter(row -> row.shown("username").equals("ada"))
                                        .map(row -> row.text("id"))
                                        .findFirst()
                                        .filter(id -> newest(id).isPresent()));
    }

    @AfterEach
    void end() {
        processes.forEach(Killable::close);
    }

    private Killable hub() {
        return Optional.ofNullable(hub).orElseThrow();
    }

    private Killable runner() {
        return Optional.ofNullable(runner).orElseThrow();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Killable process(String name, Map<String, String> environment, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(
                List.of("--data-dir", folder.resolve(name).toString(), "--registry-port", "none"));
        ProcessBuilder builder =
                JavaCommand.process(Main.class, all.toArray(String[]::new))
                        .redirectErrorStream(true);
        builder.environment().put("HUB_ACCESS_KEY", KEY);
        builder.environment().putAll(environment);
        Killable started = new Killable(builder, line -> {});
        processes.add(started);
        return started;
    }

    private HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        AdminFile.Address at = AdminFile.read(folder.resolve("hub")).orElseThrow();
        return client.send(
                HttpRequest.newBuilder(URI.create(at.url() + path))
                        .timeout(Duration.ofSeconds(20))
                        .header("Authorization", "Bearer " + at.secret())
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    /** Empty while the hub does not answer. */
    private Optional<JsonFields> ask(String method, String path, String body) {
        try {
            HttpResponse<String> answer = send(method, path, body);
            return answer.statusCode() / 100 == 2
                    ? Optional.of(Json.fields(answer.body()))
                    : Optional.empty();
        } catch (IOException | RuntimeException down) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String path() {
        return "/api/orgs/default/agents/" + agent;
    }

    private Optional<JsonFields> newest(String id) {
        return ask("GET", "/api/orgs/default/agents/" + id, "")
                .flatMap(shown -> shown.object("version"));
    }

    private Path file() {
        return folder.resolve("box/agents/ada.yaml");
    }

    /** Somebody saves a text; whether they hear what came of it is not said. */
    private CompletableFuture<Optional<JsonFields>> save(String text) {
        String version = newest(agent).orElseThrow().text("version");
        String body = Json.text(Map.of("file", text, "version", version));
        var answer = new CompletableFuture<Optional<JsonFields>>();
        Thread.startVirtualThread(() -> answer.complete(ask("PUT", path(), body)));
        return answer;
    }

    private void untilItIsSettled() {
        Eventually.holds(
                "nothing waits, and the hub has the version that the file is",
                LONG,
                () -> {
                    String text = Files.readString(file());
                    return ask("GET", path(), "")
                            .filter(shown -> shown.list("pending").isEmpty())
                            .flatMap(shown -> shown.object("version"))
                            .filter(version -> version.longText("file", 100_000).equals(text))
                            .isPresent();
                });
    }

    private List<String> texts() {
        try (Database database =
                Databases.openReadOnly(new DatabaseUrl.Sqlite(folder.resolve("box/runner.db")))) {
            return database.read(
                    snapshot ->
                            snapshot.list(
                                    "SELECT content FROM agent_versions ORDER BY number",
                                    row -> row.text("content")));
        }
    }

    @Test
    void an_edit_whose_host_is_killed_is_made_once_and_keeps_its_author() throws Exception {
        String text = FILE + "# while the host dies\n";
        var answer = save(text);
        Eventually.holds("the file is written", LONG, () -> Files.readString(file()).equals(text));

        runner().kill();
        runner().start();

        answer.get();
        untilItIsSettled();
        assertThat(texts()).containsExactly(FILE, text);
        assertThat(newest(agent).orElseThrow().shown("author")).isEqualTo("the command line");
    }

    @Test
    void an_edit_for_a_host_that_is_away_waits_and_is_shown_and_made_when_it_returns()
            throws Exception {
        runner().kill();
        Eventually.holds(
                "the hub knows that the host is gone",
                LONG,
                () ->
                        ask("GET", "/api/orgs/default/agents/hosts", "").stream()
                                .flatMap(list -> list.list("hosts").stream())
                                .noneMatch(host -> host.shown("obstacle").isEmpty()));
        String text = FILE + "# while the host is away\n";

        JsonFields answer = save(text).get().orElseThrow();

        assertThat(answer.shown("outcome")).isEqualTo("pending");
        JsonFields shown = ask("GET", path(), "").orElseThrow();
        assertThat(shown.list("pending").getFirst().shown("job")).isEqualTo(answer.shown("jobId"));
        // The hub dies too, and the change is not lost with it.
        hub().killAndStart();
        runner().start();
        Eventually.holds("the file is written", LONG, () -> Files.readString(file()).equals(text));
        untilItIsSettled();
        assertThat(texts()).containsExactly(FILE, text);
    }

    @Test
    void an_edit_whose_hub_is_killed_is_made_once_or_not_at_all() throws Exception {
        for (int round = 1; round <= 3; round++) {
            String text = FILE + "# round %d\n".formatted(round);
            var answer = save(text);
            hub().killAndStart();
            answer.get();
            untilItIsSettled();
        }
        assertThat(texts()).doesNotHaveDuplicates().startsWith(FILE);
        assertThat(texts().getLast()).isEqualTo(Files.readString(file()));
    }
}
