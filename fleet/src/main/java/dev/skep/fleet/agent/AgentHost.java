package dev.skep.fleet.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skep.app.Main;
import dev.skep.cli.admin.AdminFile;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.JavaCommand;
import dev.skep.testkit.provider.FakeProvider;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A runner as a process of its own, from an empty data dir, whose models are a fake provider's. Not
 * thread-safe.
 */
public final class AgentHost implements AutoCloseable {
    /**
     * What the provider's key is. Whoever has it can spend, so it must be nowhere but in two files.
     */
    public static final String KEY = "sk-of-the-fake-5f1d0c77a9";

    /** Programs of agents take seconds to start, more so where other tests run. */
    public static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Path dataDir;
    private final String name;
    private final AgentPackages packages;
    private final Map<String, String> settings;
    private final HttpClient client = HttpClient.newHttpClient();
    private @Nullable Process process;

    private AgentHost(
            Path dataDir, String name, AgentPackages packages, Map<String, String> settings) {
        this.dataDir = dataDir;
        this.name = name;
        this.packages = packages;
        this.settings = Map.copyOf(settings);
    }

    /** A line of an agent's log: its type, and what it says. */
    public record Line(String type, String message, String detail) {}

    /**
     * Starts one without agents.
     *
     * @param settings more variables of its environment, for example its hub
     */
    public static AgentHost start(
            Path folder,
            String name,
            AgentPackages packages,
            FakeProvider provider,
            Map<String, String> settings)
            throws IOException {
        Path dataDir = Files.createDirectories(folder.resolve(name)).resolve("skep");
        Files.createDirectories(dataDir.resolve("agents"));
        // Else the first start writes two examples, which would be at work too.
        Files.writeString(dataDir.resolve("agents/README"), "none yet\n");
        Files.writeString(dataDir.resolve("models.yaml"), WalkedRuntime.models(provider.address()));
        Files.writeString(dataDir.resolve(".env"), "KEY_OF_THE_FAKE=" + KEY + "\n");
        AgentHost host = new AgentHost(dataDir, name, packages, settings);
        host.start();
        return host;
    }

    /** Starts it again; returns once it is up. */
    public void start() throws IOException {
        List<String> words =
                JavaCommand.of(
                        Main.class,
                        "run",
                        "--quiet",
                        "--data-dir",
                        dataDir.toString(),
                        "--listen",
                        "127.0.0.1:0");
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.directory(dataDir.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment());
        Path out = out();
        int before = Files.exists(out) ? said().length() : 0;
        Process started =
                builder.redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(out.toFile()))
                        .start();
        process = started;
        Eventually.holds(
                name + " is up",
                PATIENCE,
                () -> {
                    if (!started.isAlive()) {
                        throw new IllegalStateException(name + " ended: " + said());
                    }
                    return said().substring(before).contains(" is up after ");
                });
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        environment.put("PATH", packages.path());
        environment.put("HOME", String.valueOf(dataDir.getParent()));
        environment.put("SKEP_HOSTNAME", name);
        environment.put("SKEP_REGISTRY_PORT", "none");
        environment.putAll(settings);
        return environment;
    }

    public Path dataDir() {
        return dataDir;
    }

    /** All that it printed. */
    public String said() throws IOException {
        return Files.readString(out());
    }

    private Path out() {
        return dataDir.resolveSibling("out");
    }

    /** The runner's own process. */
    public ProcessHandle process() {
        Process now = process;
        if (now == null) {
            throw new IllegalStateException(name + " is not started");
        }
        return now.toHandle();
    }

    /** {@code kill -9}. */
    public void kill() {
        Process now = process;
        if (now != null) {
            now.destroyForcibly().onExit().join();
        }
    }

    /** Runs a command of the product as its user does; fails with what it said. */
    public String command(String... words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(JavaCommand.of(Main.class, words));
        all.addAll(List.of("--data-dir", dataDir.toString()));
        ProcessBuilder builder = new ProcessBuilder(all);
        builder.environment().clear();
        builder.environment().putAll(environment());
        Process command = builder.redirectErrorStream(true).start();
        command.getOutputStream().close();
        String said = new String(command.getInputStream().readAllBytes(), UTF_8);
        if (command.waitFor() != 0) {
            throw new IllegalStateException(
                    "skep %s: %s".formatted(String.join(" ", words), said.strip()));
        }
        return said;
    }

    /** Adds lines to an agent's file, and lets it run by them. */
    public void change(String agent, String yaml) throws IOException, InterruptedException {
        act(agent, "stop", Map.of());
        Path file = dataDir.resolve("agents/" + agent + ".yaml");
        Files.writeString(file, Files.readString(file).stripTrailing() + "\n" + yaml);
        send("POST", "/api/runner/reload", Map.of());
        Eventually.holds(
                agent + " starts again",
                PATIENCE,
                () -> {
                    try {
                        act(agent, "start", Map.of());
                        return true;
                    } catch (IllegalStateException stillRunning) {
                        return false;
                    }
                });
    }

    /** Makes an agent as a user does, with more lines in its file, and starts it. */
    public void newAgent(String agent, WalkedRuntime runtime, String yaml)
            throws IOException, InterruptedException {
        command(
                "agents",
                "new",
                agent,
                "--runtime",
                runtime.runtime(),
                "--model",
                runtime.model,
                "--prompt",
                "You do what you are told.");
        // It starts by itself; a call that the change would cut is charged at what it could cost.
        AgentHost.Line unused =
                logged(agent, "the end of its first turn", line -> line.type().equals("turn_end"));
        change(agent, yaml);
    }

    public void talk(String agent, String text) throws IOException, InterruptedException {
        act(agent, "talk", Map.of("text", text));
    }

    /** Start, stop, cancel and the like. */
    public void act(String agent, String verb, Map<String, ?> body)
            throws IOException, InterruptedException {
        send("POST", "/api/runner/agents/" + agent + "/" + verb, body);
    }

    /** Waits until an agent asks for something. */
    public JsonFields pending(String agent) {
        return Eventually.present(
                "a question of " + agent,
                PATIENCE,
                () ->
                        send("GET", "/api/runner/approvals", Map.of()).list("approvals").stream()
                                .filter(each -> each.shown("agent").equals(agent))
                                .findFirst());
    }

    public void decide(JsonFields approval, String verb) throws IOException, InterruptedException {
        send("POST", "/api/runner/approvals/" + approval.text("id") + "/" + verb, Map.of());
    }

    private JsonFields send(String method, String path, Map<String, ?> body)
            throws IOException, InterruptedException {
        AdminFile.Address admin =
                AdminFile.read(dataDir)
                        .orElseThrow(() -> new IllegalStateException(name + " is not up"));
        HttpResponse<String> answer =
                client.send(
                        HttpRequest.newBuilder(URI.create(admin.url() + path))
                                .timeout(Duration.ofSeconds(60))
                                .header("Authorization", "Bearer " + admin.secret())
                                .header("Content-Type", "application/json")
                                .method(
                                        method,
                                        method.equals("GET")
                                                ? BodyPublishers.noBody()
                                                : BodyPublishers.ofString(Json.text(body)))
                                .build(),
                        BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new IllegalStateException(path + ": " + answer.body());
        }
        return Json.fields(answer.body());
    }

    /** What an agent's log says, in order. */
    public List<Line> log(String agent) {
        String sql =
                """
                SELECT l.type, l.message, l.detail FROM context_log l
                JOIN users u ON u.id = l.user_id WHERE u.username = ? ORDER BY l.id""";
        return read(
                db ->
                        db.read(
                                snapshot ->
                                        snapshot.list(
                                                sql,
                                                row -> {
                                                    String detail = row.textOrNull(3);
                                                    return new Line(
                                                            row.text(1),
                                                            row.text(2),
                                                            detail == null ? "" : detail);
                                                },
                                                agent)));
    }

    /** What an agent has spent, in micro-dollars. */
    public long spent(String agent) {
        String sql =
                "SELECT c.cost FROM costs c JOIN users u ON u.id = c.user_id WHERE u.username = ?";
        return read(
                db ->
                        db
                                .read(snapshot -> snapshot.list(sql, row -> row.number(1), agent))
                                .stream()
                                .mapToLong(Long::longValue)
                                .sum());
    }

    /** Subjects of the mail of an agent, as they are stored here. */
    public List<String> mailTo(String agent) {
        String sql =
                """
                SELECT m.subject FROM mail_messages m
                JOIN mail_recipients r ON r.message_id = m.id
                JOIN users u ON u.id = r.user_id WHERE u.username = ? ORDER BY m.id""";
        return read(db -> db.read(snapshot -> snapshot.list(sql, row -> row.text(1), agent)));
    }

    private <T> T read(Function<Database, T> reader) {
        try (Database database =
                Databases.openReadOnly(new DatabaseUrl.Sqlite(dataDir.resolve("runner.db")))) {
            return reader.apply(database);
        }
    }

    /** The line that an agent's log has once something happened. */
    public Line logged(String agent, String what, Predicate<Line> line) {
        return Eventually.present(
                what, PATIENCE, () -> log(agent).stream().filter(line).findFirst());
    }

    @Override
    public void close() {
        Process now = process;
        if (now == null || !now.isAlive()) {
            return;
        }
        now.destroy();
        try {
            if (!now.waitFor(30, TimeUnit.SECONDS)) {
                now.destroyForcibly();
            }
        } catch (InterruptedException e) {
            now.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
