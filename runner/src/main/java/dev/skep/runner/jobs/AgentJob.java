package dev.skep.runner.jobs;

import java.util.Map;

/** Steers an agent of this host, or gives it a task and waits for what comes of it. */
public final class AgentJob implements JobType {
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
