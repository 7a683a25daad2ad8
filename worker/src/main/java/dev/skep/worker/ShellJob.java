package dev.skep.worker;

import dev.skep.kernel.job.JobKind;
import dev.skep.shell.GuardedCommand;
import dev.skep.shell.SandboxedCommands;
import dev.skep.transport.route.JsonFields;
import dev.skep.wire.call.ResultStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Runs a command line that this host allows; payload: command, cwd, env. */
public final class ShellJob implements JobType {
    /** What holds a pipe open after all processes of a job have ended is not of the job. */
    private static final Duration DRAINING = Duration.ofSeconds(2);

    private static final int BUFFER = 4_096;

    private final HostRules rules;
    private final SandboxedCommands commands;

    /** With what this host allows. */
    public ShellJob(HostRules rules, SandboxedCommands commands) {
        this.rules = rules;
        this.commands = commands;
    }

    @Override
    public Set<JobKind> kinds() {
        return Set.of(JobKind.SHELL);
    }

    @Override
    public JobResult run(AssignedRun run, RunOutput output) throws InterruptedException {
        JsonFields payload = run.payload();
        var requestedCommand =
                new HostRules.RequestedCommand(
                        payload.text("command"),
                        payload.optionalText("cwd"),
                        payload.object("env").map(JsonFields::texts).orElse(Map.of()));
        try (GuardedCommand command = commands.start(rules.checked(requestedCommand))) {
            return await(command, output);
        } catch (NotAllowedException e) {
            return JobResult.failed(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return JobResult.failed(
                    "bash or setsid is missing on this host, or it cannot start more processes");
        }
    }

    private static JobResult await(GuardedCommand command, RunOutput output)
            throws InterruptedException {
        Process process = command.process();
        Thread stdout = reader("stdout", process.getInputStream(), output);
        Thread stderr = reader("stderr", process.getErrorStream(), output);
        try {
            int status = process.waitFor();
            stdout.join(DRAINING);
            stderr.join(DRAINING);
            return status == 0
                    ? JobResult.succeeded(Map.of("exitStatus", 0))
                    : new JobResult(ResultStatus.FAILED, Map.of("exitStatus", status));
        } catch (InterruptedException e) {
            command.end();
            throw e;
        }
    }

    /** On a platform thread: reading a pipe would hold a virtual thread's carrier. */
    private static Thread reader(String stream, InputStream in, RunOutput output) {
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
