package dev.skep.fleet;

import dev.skep.app.Main;
import dev.skep.runner.acp.AcpConnection;
import dev.skep.runner.acp.AcpHandler;
import dev.skep.runner.acp.PermissionOutcome;
import dev.skep.runner.acp.PermissionRequest;
import dev.skep.runner.acp.SessionUpdate;
import dev.skep.testkit.JavaCommand;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A client of the Agent Client Protocol that started a command of the product. */
final class Editor implements AutoCloseable, AcpHandler {
    final List<SessionUpdate> updates = new CopyOnWriteArrayList<>();
    final List<PermissionRequest> asked = new CopyOnWriteArrayList<>();
    final AcpConnection connection;
    volatile PermissionRequest.Kind kind = PermissionRequest.Kind.ALLOW_ONCE;
    private final Process process;

    private Editor(Process process) {
        this.process = process;
        this.connection =
                AcpConnection.over(process.getInputStream(), process.getOutputStream(), this);
    }

    static Editor open(Map<String, String> environment, String... arguments) throws IOException {
        ProcessBuilder start = JavaCommand.process(Main.class, arguments);
        start.redirectError(ProcessBuilder.Redirect.INHERIT);
        start.environment().putAll(environment);
        return new Editor(start.start());
    }

    @Override
    public void updated(String sessionId, SessionUpdate update) {
        updates.add(update);
    }

    @Override
    public PermissionOutcome permission(PermissionRequest request) {
        asked.add(request);
        return request.choose(kind);
    }

    @Override
    public void closed(String why) {}

    String said() {
        return heard(SessionUpdate.MessageChunk.class).stream()
                .map(SessionUpdate.MessageChunk::text)
                .collect(Collectors.joining());
    }

    /** What its tools printed, in one. */
    String outputs() {
        return heard(SessionUpdate.ToolCallUpdate.class).stream()
                .map(each -> String.valueOf(each.content()))
                .collect(Collectors.joining());
    }

    <T extends SessionUpdate> List<T> heard(Class<T> type) {
        return updates.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Override
    public void close() {
        connection.close();
        process.destroyForcibly();
    }
}
