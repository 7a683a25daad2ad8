package dev.skep.worker;

import dev.skep.kernel.job.JobKind;
import dev.skep.transport.route.JsonFields;
import dev.skep.wire.call.ResultStatus;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Starts, stops, restarts and shows a server instance of this host. */
public final class ServerJob implements JobType {
    private static final int TAIL = 4_096;

    private final ServerInstances serverInstances;
    private final HostRules rules;

    public ServerJob(ServerInstances serverInstances, HostRules rules) {
        this.serverInstances = serverInstances;
        this.rules = rules;
    }

    @Override
    public Set<JobKind> kinds() {
        return Set.of(
                JobKind.SERVER_START,
                JobKind.SERVER_STOP,
                JobKind.SERVER_RESTART,
                JobKind.SERVER_STATUS);
    }

    /** Whose server it is may always end it. */
    @Override
    public boolean needsNoConsent(AssignedRun run) {
        return run.type().equals(JobKind.SERVER_STOP.type())
                && run.payload()
                        .optionalText("serverInstanceId")
                        .filter(ServerFiles::isId)
                        .filter(id -> serverInstances.isOf(id, run.hub()))
                        .isPresent();
    }

    @Override
    public JobResult run(AssignedRun run, RunOutput output) {
        String id = run.payload().text("serverInstanceId");
        Optional<ServerSpec> spec = run.payload().object("spec").map(ServerJob::spec);
        if (!ServerFiles.isId(id) || spec.isEmpty()) {
            return JobResult.failed("the job names no usable server; create it again");
        }
        Optional<String> other = serverInstances.otherHubOf(id, run.hub());
        if (other.isPresent()) {
            return JobResult.failed("this server is not of this hub");
        }
        boolean starts = run.type().equals("server.start") || run.type().equals("server.restart");
        if (starts) {
            try {
                rules.checked(spec.get().requestedCommand());
            } catch (NotAllowedException e) {
                return JobResult.failed(String.valueOf(e.getMessage()));
            }
        }
        if (!starts && !serverInstances.isKnown(id)) {
            return JobResult.failed("there is no such server on this host; start it first");
        }
        ServerProcess server = serverInstances.server(id);
        switch (run.type()) {
            case "server.start" -> server.start(spec.get(), run.hub());
            case "server.stop" -> server.stop();
            case "server.restart" -> {
                server.stop();
                server.start(spec.get(), run.hub());
            }
            default -> output.write("log", tail(serverInstances.log(id)));
        }
        Map<String, Object> result = new TreeMap<>(Map.of("state", server.state()));
        Long pid = server.pid();
        if (pid != null) {
            result.put("pid", pid);
        }
        return starts && server.state().equals("failed")
                ? new JobResult(ResultStatus.FAILED, result)
                : JobResult.succeeded(result);
    }

    private static ServerSpec spec(JsonFields fields) {
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
