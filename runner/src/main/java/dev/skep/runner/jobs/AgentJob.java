package dev.skep.runner.jobs;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Steers an agent of this host, or gives it a task and waits for what comes of it. */
public final class AgentJob implements JobType {
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final AgentControl agents;

    public AgentJob(AgentControl agents) {
        this.agents = agents;
    }

    @Override
    public boolean does(String type) {
        return switch (type) {
            case "agent.start", "agent.stop", "agent.pause", "agent.resume", "agent.task" -> true;
            default -> false;
        };
    }

    @Override
    public JobResult run(AssignedRun run, Output output) throws InterruptedException {
        String agent = run.payload().text("agent");
        return switch (run.type()) {
            case "agent.start" -> told(agents.start(agent));
            case "agent.stop" -> told(agents.stop(agent));
            case "agent.pause" -> told(agents.pause(agent));
            case "agent.resume" -> told(agents.resume(agent));
            default -> task(agent, run.payload().text("task"));
        };
    }

    private JobResult task(String agent, String task) throws InterruptedException {
        AgentControl.Answer given = agents.task(agent, task);
        if (!given.done()) {
            return told(given);
        }
        while (true) {
            Optional<AgentControl.Answer> answer = agents.awaitTask(agent, LOOK);
            if (answer.isPresent()) {
                return told(answer.get());
            }
        }
    }

    private static JobResult told(AgentControl.Answer answer) {
        return answer.done()
                ? JobResult.succeeded(Map.of("message", answer.message()))
                : JobResult.failed(answer.message());
    }
}
