package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import dev.skep.testkit.FreePort;
import dev.skep.testkit.Killable;
import dev.skep.testkit.provider.FakeProvider;
import dev.skep.testkit.provider.ProviderAnswer;
import dev.skep.testkit.provider.ProviderUsage;
import dev.skep.testkit.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A hub and two runners as processes, whose agents would spend without end. */
@Timeout(180)
class SpendingABudgetTogetherTest {
    private static final long BUDGET = 1_000_000;

    /** What the provider says that it counted: a hundred tokens in, two thousand out. */
    private static final ProviderUsage USAGE = ProviderUsage.of(100, 2_000);

    @TempDir private Path folder = Path.of("");
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final AtomicInteger calls = new AtomicInteger();

    @AfterEach
    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgresql"})
    void agents_of_two_hosts_stop_at_the_budget_though_one_is_killed(String kind) throws Exception {
        String database = kind.equals("sqlite") ? "" : PostgresServer.newDatabaseUrl();
        HubNode hub = opened(HubNode.open(folder.resolve("hub"), FreePort.any(), database));
        HttpVisitor admin = HttpVisitor.local(hub.url, folder.resolve("hub"));
        admin.post(
                "/api/orgs/default/budgets",
                Map.of(
                        "name",
                        "all",
                        "scope",
                        "org",
                        "amountMicros",
                        BUDGET,
                        "windowSeconds",
                        86_400));
        FakeProvider provider =
                opened(
                        new FakeProvider(
                                _ -> ProviderAnswer.say("call " + calls.incrementAndGet(), USAGE)));
        Killable a = runner("a", hub, provider);
        Killable b = runner("b", hub, provider);
        Eventually.holds(
                "both know the budget", () -> shown(admin).split("microsPerHour").length == 4);
        start(a, "a");
        start(b, "b");
        for (int i = 0; i < 4; i++) {
            say(a, "a");
            say(b, "b");
        }
        a.kill();
        a.start();
        Eventually.holds(
                "money is short",
                () -> {
                    say(a, "a");
                    say(b, "b");
                    return shown(admin).contains("\"exhausted\":true");
                });
        long charged =
                provider.charged().stream()
                        .mapToLong(each -> each.usage().input() * 50L + each.usage().output() * 50L)
                        .sum();
        assertThat(charged).isBetween(BUDGET / 4, BUDGET);
    }

    private static String shown(HttpVisitor admin) {
        try {
            return admin.get("/api/orgs/default/budgets").body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private <T extends AutoCloseable> T opened(T it) {
        open.push(it);
        return it;
    }

    private Killable runner(String name, HubNode hub, FakeProvider provider) throws IOException {
        Path dir = Files.createDirectories(folder.resolve(name).resolve("agents"));
        Files.writeString(
                dir.resolveSibling("models.yaml"),
                """
                models:
                  - name: coder
                    provider: anthropic
                    url: %s/v1
                    key: none
                    context_tokens: 100000
                    max_output_tokens: 2000
                    prices: { input: 50, output: 50 }
                """
                        .formatted(provider.address()));
        return opened(
                new Killable(
                        NodeProcess.class,
                        line -> {},
                        "agents",
                        folder.resolve(name).toString(),
                        hub.url));
    }

    /** Nobody spends before the hosts have heard of the budget; they remember it. */
    private void start(Killable runner, String name) throws Exception {
        Files.writeString(
                folder.resolve(name).resolve("agents").resolve(name + "lice.yaml"),
                "prompt: Talk.\nmodel: coder\n");
        runner.kill();
        runner.start();
    }

    private HttpVisitor visitor(Killable runner, String name) {
        return HttpVisitor.local(runner.greeting().split(" ", -1)[1], folder.resolve(name));
    }

    private void say(Killable runner, String name) {
        // A runner that was started again asks its hub first whether its agents may start.
        Eventually.holds(name + "lice is told", () -> isSaid(runner, name));
    }

    private boolean isSaid(Killable runner, String name) {
        try {
            visitor(runner, name)
                    .post("/api/runner/agents/" + name + "lice/talk", Map.of("text", "Go on."));
            return true;
        } catch (AssertionError refused) {
            if (String.valueOf(refused.getMessage()).contains("is not running")) {
                return false;
            }
            throw refused;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
