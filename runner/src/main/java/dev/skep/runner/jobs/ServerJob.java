package dev.skep.runner.jobs;

import dev.skep.transport.route.Fields;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Starts, stops, restarts and looks at a server instance of this host. */
public final class ServerJob implements JobType {
    private static final int TAIL = 4_096;

    private final Servers servers;
    private final AllowedCommands allowed;

    public ServerJob(Servers servers, AllowedCommands allowed) {
        this.servers = servers;
        this.allowed = allowed;
    }

    @Override
    public boolean does(String type) {
        return switch (type) {
            case "server.start", "server.stop", "server.restart", "server.status" -> true;
            default -> false;
        };
    }

    @Override
    public JobResult run(AssignedRun run, Output output) {
        String id = run.payload().text("serverInstanceId");
        Optional<ServerSpec> spec = run.payload().object("spec").map(ServerJob::spec);
        if (!ServerFiles.isId(id) || spec.isEmpty()) {
            return JobResult.failed("the job names no usable server; create it again");
        }
        boolean starts = run.type().equals("server.start") || run.type().equals("server.restart");
        if (starts && !allowed.allow(spec.get().command())) {
            return JobResult.failed(
                    "this host does not allow this server's command; add it to allowed-commands in its data dir");
        }
        Path folder = servers.folder(spec.get());
        if (starts && !Files.isDirectory(folder)) {
            return JobResult.failed("there is no folder %s on this host".formatted(folder));
        }
        ServerProcess server = servers.server(id);
        switch (run.type()) {
            case "server.start" -> server.start(spec.get());
            case "server.stop" -> server.stop();
            case "server.restart" -> {
                server.stop();
                server.start(spec.get());
            }
            default -> output.write("log", tail(servers.log(id)));
        }
        Map<String, Object> told = new TreeMap<>(Map.of("state", server.state()));
        Long pid = server.pid();
        if (pid != null) {
            told.put("pid", pid);
        }
        return starts && server.state().equals("failed")
                ? new JobResult(JobResult.Status.FAILED, told)
                : JobResult.succeeded(told);
    }

    private static ServerSpec spec(Fields fields) {
        return ServerSpec.of(fields);
    }

    private static String tail(Path log) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, file.length() - TAIL);
            byte[] bytes = new byte[(int) (file.length() - from)];
            file.seek(from);
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException noLogYet) {
            return "";
        }
    }
}
