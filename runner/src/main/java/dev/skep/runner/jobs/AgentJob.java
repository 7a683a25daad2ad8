package dev.skep.runner.jobs;

import dev.skep.kernel.job.JobKind;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Steers an agent of this host, or gives it a task and waits for what comes of it. */
public final class AgentJob implements JobType {
    /** Whoever forgot to say how long must not keep others from this host for ever. */
    private static final Duration LONGEST_TASK = Duration.ofHours(1);

    private final AgentControl agents;

    public AgentJob(AgentControl agents) {
        this.agents = agents;
    }

    @Override
    public Set<JobKind> kinds() {
        return Set.of(
                JobKind.AGENT_START,
                JobKind.AGENT_STOP,
                JobKind.AGENT_PAUSE,
                JobKind.AGENT_RESUME,
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
        AgentControl.Answer answer =
                switch (run.type()) {
                    case "agent.start" -> agents.start(agent);
                    case "agent.stop" -> agents.stop(agent);
                    case "agent.pause" -> agents.pause(agent);
                    case "agent.resume" -> agents.resume(agent);
                    default -> agents.task(agent, run.payload().text("task"));
                };
        return answer.done()
                ? JobResult.succeeded(Map.of("message", answer.message()))
                : JobResult.failed(answer.message());
    }
}
