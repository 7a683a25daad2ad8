package dev.skep.runner.acp;

import dev.skep.testkit.Eventually;
import dev.skep.testkit.acp.FixtureAgent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A fixture agent as a process, the connection to it, and all that was heard. */
final class RunningFixture implements AutoCloseable {
    final List<SessionUpdate> updates = new CopyOnWriteArrayList<>();
    final List<PermissionRequest> asked = new CopyOnWriteArrayList<>();
    final List<String> closed = new CopyOnWriteArrayList<>();
    final Process process;
    final AcpConnection connection;
    final Path folder;

    /** How permissions are decided. */
    volatile Decision decision = request -> request.choose(PermissionRequest.Kind.ALLOW_ONCE);

    /** Decides; may wait. */
    interface Decision {
        PermissionOutcome about(PermissionRequest request) throws InterruptedException;
    }

    RunningFixture(Path folder, AcpLimits limits, String... faults) {
        this(folder, limits, started(folder, faults));
    }

    private static ProcessBuilder started(Path folder, String... faults) {
        ProcessBuilder start = new ProcessBuilder(FixtureAgent.command(faults));
        start.environment().put("HOME", folder.toString());
        return start;
    }

    RunningFixture(Path folder, AcpLimits limits, ProcessBuilder start) {
        this.folder = folder;
        start.redirectError(ProcessBuilder.Redirect.DISCARD);
        try {
            process = start.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connection =
                AcpConnection.over(
                        process.getInputStream(),
                        process.getOutputStream(),
                        new AcpHandler() {
                            @Override
                            public void updated(String sessionId, SessionUpdate update) {
                                updates.add(update);
                            }

                            @Override
                            public PermissionOutcome permission(PermissionRequest request)
                                    throws InterruptedException {
                                asked.add(request);
                                return decision.about(request);
                            }

                            @Override
                            public void closed(String why) {
                                closed.add(why);
                            }
                        },
                        limits);
    }

    RunningFixture(Path folder, String... faults) {
        this(folder, AcpLimits.DEFAULTS, faults);
    }

    /** Initialized, with a session. */
    String session(McpServerAddress... servers) throws AcpException, InterruptedException {
        connection.initialize("test", "1");
        return connection.newSession(folder.toString(), List.of(servers)).sessionId();
    }

    /** All that was said, in one. */
    String said() {
        return updates.stream()
                .map(
                        update ->
                                update instanceof SessionUpdate.MessageChunk(var text, var _)
                                        ? text
                                        : "")
                .collect(Collectors.joining());
    }

    <T extends SessionUpdate> List<T> heard(Class<T> kind) {
        return updates.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Why the connection ended, once it has. */
    String ending() {
        Eventually.holds("the connection ends", () -> !closed.isEmpty());
        return closed.getFirst();
    }

    @Override
    public void close() {
        connection.close();
        process.destroyForcibly();
    }
}
