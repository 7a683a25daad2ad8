package dev.skep.runner.managed;

import dev.skep.agents.session.SessionKey;
import dev.skep.runner.acp.AcpConnection;
import dev.skep.runner.acp.AcpException;
import dev.skep.runner.acp.AcpHandler;
import dev.skep.runner.acp.AgentDescription;
import dev.skep.runner.acp.McpServerAddress;
import dev.skep.runner.acp.OpenedSession;
import dev.skep.runner.acp.PermissionOutcome;
import dev.skep.runner.acp.PermissionRequest;
import dev.skep.runner.acp.PromptResult;
import dev.skep.runner.acp.SessionUpdate;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.loop.LogEntryDraft;
import dev.skep.runner.runtime.ResumeMethod;
import dev.skep.runner.tools.StdioBridge;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The program of one agent's runtime, when it runs: started and connected when it is needed, with
 * the session that the agent is in. Used by the agent's thread alone.
 */
final class RuntimeDriver implements AutoCloseable {
    private static final String CLIENT = "skep";
    private static final String TOOLS = SkepToolDetector.SERVER;

    private final ManagedAgentDependencies parts;
    private final ManagedSetup setup;
    private final ManagedLog log;
    private final PermissionHandler permissions;
    private final RuntimeStarter start;
    private @Nullable Live live;

    RuntimeDriver(
            ManagedAgentDependencies parts,
            ManagedSetup setup,
            ManagedLog log,
            PermissionHandler permissions,
            TurnEffects effects) {
        this.parts = parts;
        this.setup = setup;
        this.log = log;
        this.permissions = permissions;
        this.start = new RuntimeStarter(parts, setup, effects);
    }

    /** A process with a session that is open. */
    private record Live(
            RuntimeStarter.Started started,
            AcpConnection connection,
            AgentDescription description,
            String sessionId,
            Ear ear) {}

    /** How the session was opened. */
    enum Opened {
        /** It was open already. */
        STILL,
        /** The runtime knows it from before. */
        AGAIN,
        /** The runtime knows nothing of what was before. */
        NEW
    }

    boolean isAlive() {
        return live != null && live.started().process().isAlive() && live.ear().closed == null;
    }

    /** Whether it could go on with its session after its process ended. */
    boolean canReopen() {
        return live != null && (canResume(live.description()) || canLoad(live.description()));
    }

    private boolean canResume(AgentDescription description) {
        return description.resume() && setup.runtime().resume() == ResumeMethod.RESUME;
    }

    private boolean canLoad(AgentDescription description) {
        return description.loadSession() && setup.runtime().resumes();
    }

    /** Starts the program unless it runs, and opens the agent's session. */
    Opened open(SessionKey key) throws RuntimeFailedException, InterruptedException {
        if (isAlive()) {
            return Opened.STILL;
        }
        close();
        log.beginReplay();
        RuntimeStarter.Started started = start.process();
        Ear ear = new Ear(started.folder());
        AcpConnection connection =
                AcpConnection.over(started.process().output(), started.process().input(), ear);
        try {
            AgentDescription description = connection.initialize(CLIENT, parts.version());
            List<McpServerAddress> servers = servers(started, description);
            Optional<OpenedSession> again = again(connection, description, key, started, servers);
            OpenedSession session =
                    again.isPresent()
                            ? again.get()
                            : connection.newSession(started.folder().toString(), servers);
            SessionConfigurator.make(connection, session, setup, log);
            parts.sessions()
                    .put(
                            setup.principal(),
                            new ManagedSessionStore.Kept(
                                    key,
                                    setup.runtime().name(),
                                    started.folder().toString(),
                                    session.sessionId()));
            live = new Live(started, connection, description, session.sessionId(), ear);
            return again.isPresent() ? Opened.AGAIN : Opened.NEW;
        } catch (AcpException e) {
            RuntimeFailedException failed = failure(e, started);
            end(started, connection);
            throw failed;
        } catch (InterruptedException | RuntimeException e) {
            end(started, connection);
            throw e;
        }
    }

    private List<McpServerAddress> servers(
            RuntimeStarter.Started started, AgentDescription description) {
        RuntimeAccessServer.Grant grant = started.grant();
        List<McpServerAddress> servers = new ArrayList<>();
        servers.add(
                description.mcpHttp()
                        ? new McpServerAddress.Http(
                                TOOLS,
                                grant.tools(),
                                Map.of("Authorization", "Bearer " + grant.token()))
                        : stdio(StdioBridge.to(grant.port(), grant.token())));
        for (AgentFile.ToolServer server : setup.source().content().tools()) {
            own(server, description).ifPresent(servers::add);
        }
        return servers;
    }

    /** A server of the agent's own file; its program runs where the runtime does. */
    private Optional<McpServerAddress> own(
            AgentFile.ToolServer server, AgentDescription description) {
        String url = server.url();
        if (url == null) {
            return Optional.of(
                    new McpServerAddress.Stdio(
                            server.name(),
                            server.command().getFirst(),
                            server.command().subList(1, server.command().size()),
                            filledIn(server.env())));
        }
        if (description.mcpHttp()) {
            return Optional.of(
                    new McpServerAddress.Http(
                            server.name(),
                            setup.substitution().in(url),
                            filledIn(server.headers())));
        }
        log.write(
                LogEntryDraft.notice(
                        "%s reaches no tools over http, so it goes without those of %s"
                                .formatted(setup.runtime().name(), server.name())));
        return Optional.empty();
    }

    private Map<String, String> filledIn(Map<String, String> texts) {
        Map<String, String> filled = new LinkedHashMap<>();
        texts.forEach((name, text) -> filled.put(name, setup.substitution().in(text)));
        return filled;
    }

    private static McpServerAddress stdio(StdioBridge bridge) {
        return new McpServerAddress.Stdio(
                TOOLS, bridge.command(), bridge.arguments(), bridge.environment());
    }

    private Optional<OpenedSession> again(
            AcpConnection connection,
            AgentDescription description,
            SessionKey key,
            RuntimeStarter.Started started,
            List<McpServerAddress> servers)
            throws AcpException, InterruptedException {
        Optional<ManagedSessionStore.Kept> kept =
                parts.sessions()
                        .of(setup.principal(), setup.agent().id())
                        .filter(each -> each.session().equals(key))
                        .filter(each -> each.runtime().equals(setup.runtime().name()))
                        .filter(each -> each.folder().equals(started.folder().toString()));
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        String id = kept.get().runtimeSession();
        String folder = started.folder().toString();
        try {
            if (canResume(description)) {
                return Optional.of(connection.resumeSession(id, folder, servers));
            }
            return canLoad(description)
                    ? Optional.of(connection.loadSession(id, folder, servers))
                    : Optional.empty();
        } catch (AcpException e) {
            if (e.failure() == AcpException.Failure.ENDED) {
                throw e;
            }
            log.write(
                    LogEntryDraft.notice(
                            "%s could not go on with its session: %s"
                                    .formatted(setup.runtime().name(), e.getMessage())));
            return Optional.empty();
        }
    }

    /** Sends a prompt; the answer comes on a thread of its own. */
    CompletableFuture<PromptResult> prompt(String text) {
        Live now = live();
        CompletableFuture<PromptResult> answer = new CompletableFuture<>();
        Thread.ofVirtual()
                .name("turn-" + setup.agent().username())
                .start(
                        () -> {
                            try {
                                answer.complete(now.connection().prompt(now.sessionId(), text));
                            } catch (AcpException | InterruptedException | RuntimeException e) {
                                answer.completeExceptionally(e);
                            }
                        });
        return answer;
    }

    /** Asks it to give up the turn. */
    void cancel() {
        if (isAlive()) {
            live().connection().cancel(live().sessionId());
        }
    }

    /** What a failure means, with the program's last words. */
    RuntimeFailedException failure(AcpException e) {
        return failure(e, live().started());
    }

    private RuntimeFailedException failure(AcpException e, RuntimeStarter.Started started) {
        String name = setup.runtime().name();
        return switch (e.failure()) {
            case ENDED -> new RuntimeFailedException(ended(name, e, started), false);
            case SILENT ->
                    new RuntimeFailedException(
                            "%s is silent: %s".formatted(name, e.getMessage()), false);
            case REFUSED ->
                    new RuntimeFailedException("%s: %s".formatted(name, e.getMessage()), false);
            case SIGN_IN ->
                    new RuntimeFailedException(
                            "%s wants a sign-in: skep runtimes login %s --agent %s"
                                    .formatted(name, name, setup.agent().username()),
                            true);
            case VERSION, MALFORMED ->
                    new RuntimeFailedException("%s: %s".formatted(name, e.getMessage()), true);
        };
    }

    private static String ended(String name, AcpException e, RuntimeStarter.Started started) {
        String words = started.lastWords();
        return "%s ended: %s%s"
                .formatted(name, e.getMessage(), words.isEmpty() ? "" : "; it said: " + words);
    }

    private Live live() {
        Live now = live;
        if (now == null) {
            throw new IllegalStateException("no program runs");
        }
        return now;
    }

    /** Says that the session is over, to a runtime that wants to know. */
    void closeSession() {
        Live now = live;
        if (now != null && isAlive() && now.description().close()) {
            Thread asking =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            now.connection().closeSession(now.sessionId());
                                        } catch (AcpException | InterruptedException e) {
                                            // Its process ends with or without it.
                                        }
                                    });
            try {
                boolean unused = asking.join(Duration.ofSeconds(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        parts.sessions().forget(setup.principal(), setup.agent().id());
    }

    /** Ends the program. */
    @Override
    public void close() {
        Live now = live;
        live = null;
        if (now != null) {
            end(now.started(), now.connection());
        }
    }

    private static void end(RuntimeStarter.Started started, AcpConnection connection) {
        connection.close();
        started.end();
    }

    /** Hears the program. */
    private final class Ear implements AcpHandler {
        private final Path folder;
        private volatile @Nullable String closed;

        Ear(Path folder) {
            this.folder = folder;
        }

        @Override
        public void updated(String sessionId, SessionUpdate update) {
            log.updated(update);
        }

        @Override
        public PermissionOutcome permission(PermissionRequest request) throws InterruptedException {
            return permissions.decide(request, log, folder);
        }

        @Override
        public void closed(String why) {
            closed = why;
        }
    }
}
