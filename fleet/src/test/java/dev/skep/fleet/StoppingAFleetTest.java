package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.Killable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A hub and two runners as processes, whose agents never stop by themselves. */
@Timeout(180)
class StoppingAFleetTest {
    private static final String AGENT =
            """
            prompt: Count.
            model: scripted:count.script.yaml
            turn_delay: 200ms
            """;

    @TempDir private Path folder = Path.of("");
    private final List<Killable> processes = new ArrayList<>();
    private String port = "";
    private String hubDir = "";
    private Killable hub;
    private Killable a;

    @BeforeEach
    void begin() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = Integer.toString(free.getLocalPort());
        }
        hubDir = folder.resolve("hub").toString();
        hub = start("hub", "hub", port);
        String url = hub.greeting().split(" ", -1)[1];
        a = withAgent("a", url);
        withAgent("b", url);
        for (String each : List.of("a", "b")) {
            Eventually.holds(each + " works", () -> turns(each) > 0);
        }
        Eventually.holds(
                "the hub knows both",
                () -> command("agents", "stop-all", "--undo").said().contains("nothing stops"));
        Eventually.holds("their agents are known", () -> known() == 2);
    }

    @AfterEach
    void end() {
        processes.forEach(Killable::close);
    }

    private Killable withAgent(String name, String url) throws IOException {
        Path agents = Files.createDirectories(folder.resolve(name + "/agents"));
        Files.writeString(agents.resolve("counter-" + name + ".yaml"), AGENT);
        Files.writeString(
                agents.resolve("count.script.yaml"), "steps:\n  - run: ['echo turn {{turn}}']\n");
        return start("agents", name, url);
    }

    private Killable start(String kind, String name, String argument) {
        Killable started =
                new Killable(
                        NodeProcess.class,
                        line -> {},
                        kind,
                        folder.resolve(name).toString(),
                        argument);
        processes.add(started);
        return started;
    }

    private SkepCommand.Ended command(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--data-dir", hubDir));
        return SkepCommand.run(all.toArray(String[]::new));
    }

    private long count(String database, String sql) {
        if (Files.notExists(folder.resolve(database))) {
            return 0;
        }
        try (Database open =
                Databases.openReadOnly(new DatabaseUrl.Sqlite(folder.resolve(database)))) {
            return open.read(db -> db.first(sql, row -> row.number("n"))).orElseThrow();
        } catch (SkepException notMigratedYet) {
            return 0;
        }
    }

    private long turns(String host) {
        return count(
                host + "/runner.db", "SELECT count(*) AS n FROM context_log WHERE type = 'output'");
    }

    private long known() {
        return count("hub/hub.db", "SELECT count(*) AS n FROM users WHERE kind = 'agent'");
    }

    private HttpVisitor visitor(Killable runner, String name) {
        return HttpVisitor.local(runner.greeting().split(" ", -1)[1], folder.resolve(name));
    }

    @Test
    void all_stand_still_over_kills_of_host_and_hub_until_they_are_let_go() throws Exception {
        SkepCommand.Ended stopped = command("agents", "stop-all", "--reason", "a drill");
        assertThat(stopped.said()).contains("2 agents stand still");
        assertThat(stopped.status()).isZero();
        long ofA = turns("a");
        long ofB = turns("b");

        hub.kill();
        a.kill();
        a.start();
        assertThat(visitor(a, "a").get("/api/runner/hold").body()).contains("a drill");
        assertThat(visitor(a, "a").get("/api/runner/agents").body())
                .contains("all agents here were stopped by");
        hub.start();
        Eventually.holds(
                "the hub is back",
                () -> command("agents", "stop-all").said().contains("2 agents stand still"));
        // A command that was under way was let finish.
        assertThat(turns("a")).isBetween(ofA, ofA + 1);
        assertThat(turns("b")).isBetween(ofB, ofB + 1);

        SkepCommand.Ended undone = command("agents", "stop-all", "--undo");
        assertThat(undone.status()).as(undone.said()).isZero();
        Eventually.holds("a goes on", () -> turns("a") > ofA + 1);
        Eventually.holds("b goes on", () -> turns("b") > ofB + 1);
        assertThat(
                        count(
                                "hub/hub.db",
                                "SELECT count(*) AS n FROM audit_log WHERE action = 'agents_stopped'"))
                .isEqualTo(1);
    }

    @Test
    void a_host_that_was_away_is_held_before_its_agent_starts() throws Exception {
        a.kill();
        long ofA = turns("a");
        Eventually.holds(
                "the hub sees that it is away",
                () -> command("agents", "stop-all", "--json").said().contains("\"away\""));
        assertThat(command("agents", "stop-all").said()).contains("it is away");
        a.start();
        Eventually.holds(
                "it has heard",
                () -> visitor(a, "a").get("/api/runner/hold").body().contains("\"id\""));
        assertThat(turns("a")).isEqualTo(ofA);
        command("agents", "stop-all", "--undo");
        Eventually.holds("it goes on", () -> turns("a") > ofA);
    }

    @Test
    void a_host_lets_its_own_agents_go_whatever_its_hub_wants() throws Exception {
        command("agents", "stop-all");
        long ofA = turns("a");
        long ofB = turns("b");
        SkepCommand.Ended lifted =
                SkepCommand.run(
                        "agents",
                        "stop-all",
                        "--undo",
                        "--here",
                        "--data-dir",
                        folder.resolve("a").toString());
        assertThat(lifted.status()).as(lifted.said()).isZero();
        Eventually.holds("it goes on", () -> turns("a") > ofA);
        Eventually.holds(
                "the hub says so", () -> command("agents", "stop-all").said().contains("lifted"));
        assertThat(turns("b")).isBetween(ofB, ofB + 1);
    }
}
