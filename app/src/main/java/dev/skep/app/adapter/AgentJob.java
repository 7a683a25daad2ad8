package dev.skep.app.adapter;

import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.job.JobKind;
import dev.skep.runner.ActionResult;
import dev.skep.runner.AgentService;
import dev.skep.runner.AgentTasks;
import dev.skep.runner.Runner;
import dev.skep.worker.AssignedRun;
import dev.skep.worker.JobResult;
import dev.skep.worker.JobType;
import dev.skep.worker.RunOutput;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Steers an agent of this host, or gives it a task and waits for what comes of it. */
public final class AgentJob implements JobType {
    /** A task without a limit must not block this host for ever. */
    private static final Duration LONGEST_TASK = Duration.ofHours(1);

    private final AgentService agents;
    private final AgentTasks tasks;
    private final Principal host;

    public AgentJob(Runner runner, Principal host) {
        this.agents = runner.agentService();
        this.tasks = new AgentTasks(runner);
        this.host = host;
    }

    @Override
    public Set<JobKind> kinds() {
        return Set.of(
                JobKind.AGENT_START,
                JobKind.AGENT_STOP,
                JobKind.AGENT_PAUSE,
                JobKind.AGENT_RESUME,
                JobKind.AGENT_CANCEL,
                JobKind.AGENT_TASK);
    }

    @Override
    public Optional<Duration> timeLimit(AssignedRun run) {
        return run.type().equals("agent.task")
                ? run.timeout().or(() -> Optional.of(LONGEST_TASK))
                : run.timeout();
    }

    @Override
    public JobResult run(AssignedRun run, RunOutput output) throws InterruptedException {
        String agent = run.payload().text("agent");
        ActionResult result =
                switch (run.type()) {
                    case "agent.start" -> agents.start(agent, null);
                    case "agent.stop" -> agents.stop(host, agent);
                    case "agent.pause" -> agents.pause(agent);
                    case "agent.resume" -> agents.resume(agent);
                    case "agent.cancel" -> agents.cancel(agent);
                    default -> tasks.task(agent, run.payload().text("task"));
                };
        return result instanceof ActionResult.Done
                ? JobResult.succeeded(Map.of("message", result.message()))
                : JobResult.failed(result.message());
    }
}
