package dev.skep.runner.jobs;

import dev.skep.transport.route.Fields;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Runs a command line that this host allows; payload: command, cwd, env. */
public final class ShellJob implements JobType {
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final int BUFFER = 4_096;

    private final AllowedCommands allowed;
    private final Path folder;

    /**
     * With what this host allows.
     *
     * @param folder where commands run that name no cwd
     */
    public ShellJob(AllowedCommands allowed, Path folder) {
        this.allowed = allowed;
        this.folder = folder;
    }

    @Override
    public boolean does(String type) {
        return type.equals("shell");
    }

    @Override
    public JobResult run(AssignedRun run, Output output) throws InterruptedException {
        Fields payload = run.payload();
        String command = payload.text("command");
        if (!allowed.allow(command)) {
            return JobResult.failed(
                    "this host does not allow this command; add it to allowed-commands in its data dir");
        }
        Path cwd = payload.optionalText("cwd").map(folder::resolve).orElse(folder);
        if (!Files.isDirectory(cwd)) {
            return JobResult.failed("there is no folder %s on this host".formatted(cwd));
        }
        Map<String, String> environment = payload.object("env").map(Fields::texts).orElse(Map.of());
        Process process;
        try {
            process =
                    ProcessGroup.builder(command, cwd, environment)
                            .redirectInput(
                                    ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                            .start();
        } catch (IOException e) {
            return JobResult.failed("bash or setsid is missing on this host");
        }
        return await(process, output);
    }

    private static JobResult await(Process process, Output output) throws InterruptedException {
        Thread stdout = reader("stdout", process.getInputStream(), output);
        Thread stderr = reader("stderr", process.getErrorStream(), output);
        try {
            int status = process.waitFor();
            // What it left in the background holds the pipes open; it ends with the command.
            if (!stdout.join(Duration.ofMillis(200)) || !stderr.join(Duration.ofMillis(200))) {
                ProcessGroup.end(process.toHandle(), Duration.ZERO);
                stdout.join();
                stderr.join();
            }
            return status == 0
                    ? JobResult.succeeded(Map.of("exitStatus", 0))
                    : new JobResult(JobResult.Status.FAILED, Map.of("exitStatus", status));
        } catch (InterruptedException e) {
            ProcessGroup.end(process.toHandle(), GRACE);
            throw e;
        }
    }

    /** On a platform thread: reading a pipe would hold a virtual thread's carrier. */
    private static Thread reader(String stream, InputStream in, Output output) {
        return Thread.ofPlatform()
                .daemon()
                .name("job-" + stream)
                .start(
                        () -> {
                            char[] buffer = new char[BUFFER];
                            try (InputStreamReader reader =
                                    new InputStreamReader(in, StandardCharsets.UTF_8)) {
                                for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
                                    output.write(stream, new String(buffer, 0, n));
                                }
                            } catch (IOException ended) {
                                // the process is gone, and its pipe with it
                            }
                        });
    }
}
