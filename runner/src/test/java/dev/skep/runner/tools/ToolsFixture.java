package dev.skep.runner.tools;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.money.Budget;
import dev.skep.models.money.Dollars;
import dev.skep.models.money.SpendLimit;
import dev.skep.models.money.lease.HostLeases;
import dev.skep.runner.PlayedModels;
import dev.skep.runner.RunnerStores;
import dev.skep.runner.TestRunner;
import dev.skep.runner.command.AgentDirectory;
import dev.skep.runner.command.AgentMail;
import dev.skep.runner.command.CommandResult;
import dev.skep.runner.command.CostCommand;
import dev.skep.runner.mail.UnreadMail;
import dev.skep.shell.redact.Redactor;
import dev.skep.store.clock.MachineClock;
import dev.skep.transport.loopback.LoopbackServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** The endpoint on loopback with agents alice and bob, a person, and real stores behind it. */
final class ToolsFixture implements AutoCloseable {
    static final String SECRET = "hunter2-hunter2-hunter2";

    final TestRunner test;
    final List<String> effects = new CopyOnWriteArrayList<>();
    final ToolsEndpoint endpoint;
    final Agent operator;
    private final LoopbackServer server;
    private final AgentMail mail;
    private final Budget budget;

    ToolsFixture(Path dir) {
        for (String name : List.of("alice", "bob")) {
            TestRunner.agent(
                    dir,
                    name,
                    "username: %s\nprompt: p\nmodel: %s\nauto_start: false\nwake_on_mail: false\n"
                            .formatted(name, name));
        }
        test = TestRunner.start(dir, new PlayedModels());
        RunnerStores stores = test.runner.stores();
        // The first mail of a person makes the mailbox of this machine's people.
        test.runner.agentService().mail(test.host.principal(), List.of("bob"), "Hello", "Hi bob.");
        operator =
                stores.agents().onThisHost().stream()
                        .filter(agent -> agent.kind() == Agent.Kind.OPERATOR)
                        .findFirst()
                        .orElseThrow();
        Redactor redactor = new Redactor(Set.of(SECRET));
        mail =
                new AgentMail(
                        stores.mail(),
                        stores.mailboxes(),
                        new UnreadMail(
                                stores.mailboxes(), test.host.id(), ToolsFixture::allIsKnown),
                        redactor);
        budget =
                new Budget(
                        stores.costs(),
                        TestRunner.CLOCK,
                        null,
                        HostLeases.open(
                                test.database,
                                new UlidSource(TestRunner.CLOCK, new Random()),
                                MachineClock.open(TestRunner.CLOCK)));
        endpoint =
                new ToolsEndpoint(
                        new AgentTools(
                                mail,
                                new Everybody(),
                                new CostCommand(stores.costs(), budget),
                                () -> operator,
                                test.database,
                                redactor),
                        "1.0");
        server = new LoopbackServer(Map.of(ToolsEndpoint.PATH, endpoint));
        server.start();
        admit("alice", "token-alice");
        admit("bob", "token-bob");
    }

    private static <T> T allIsKnown(Function<UnreadMail.Known, T> reading) {
        return reading.apply(UnreadMail.Known.ALL);
    }

    void admit(String name, String token) {
        Agent agent = agent(name);
        endpoint.admit(
                token,
                new ToolCaller(
                        principal(agent),
                        agent,
                        new ToolEffects() {
                            @Override
                            public void completed(String note) {
                                effects.add(name + " completed: " + note);
                            }

                            @Override
                            public void noted(String note) {
                                effects.add(name + " noted: " + note);
                            }
                        },
                        Duration.ofSeconds(20)));
    }

    void limit(String name, String dollars) {
        budget.limit(agent(name).id(), new SpendLimit(Dollars.parse(dollars), Duration.ofDays(1)));
    }

    Agent agent(String name) {
        return test.runner.stores().agents().onThisHost().stream()
                .filter(agent -> agent.username().equals(name))
                .findFirst()
                .orElseThrow();
    }

    Principal.Agent principal(Agent agent) {
        return new Principal.Agent(test.host.org(), agent.id(), test.host.id());
    }

    McpClient client(String name) {
        return new McpClient(server.address(), "token-" + name);
    }

    McpClient withToken(String token) {
        return new McpClient(server.address(), token);
    }

    int port() {
        return server.port();
    }

    /** The agents of the store; nobody can start one here. */
    private final class Everybody implements AgentDirectory {
        @Override
        public List<Member> members() {
            return test.runner.stores().agents().all(test.host.principal()).stream()
                    .map(agent -> new Member(agent, AgentStatus.STOPPED))
                    .toList();
        }

        @Override
        public CommandResult start(Agent lead, String name, String task) {
            throw new AssertionError(name);
        }

        @Override
        public CommandResult stop(Agent lead, String name) {
            throw new AssertionError(name);
        }

        @Override
        public CommandResult peek(Agent lead, String name, int lines) {
            throw new AssertionError(name);
        }
    }

    @Override
    public void close() {
        server.close();
        test.close();
    }
}
