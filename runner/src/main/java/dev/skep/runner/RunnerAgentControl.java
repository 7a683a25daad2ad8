package dev.skep.runner;

import dev.skep.agents.session.RunSession;
import dev.skep.runner.jobs.AgentControl;
import java.util.Optional;

/** The agents of this host as jobs steer them. Thread-safe. */
public final class RunnerAgentControl implements AgentControl {
    private static final String HOW_TO_END =
            "\n\nThis is a job. When it is done, say what came of it with: session complete \"RESULT\"";
    private static final String COMPLETE = "complete";

    private final Runner runner;
    private final AgentService agentService;

    public RunnerAgentControl(Runner runner) {
        this.runner = runner;
        this.agentService = runner.agentService();
    }

    @Override
    public Answer start(String agent) {
        return told(agentService.start(agent, null));
    }

    @Override
    public Answer stop(String agent) {
        return told(agentService.stop(runner.principal(), agent));
    }

    @Override
    public Answer pause(String agent) {
        return told(agentService.pause(agent));
    }

    @Override
    public Answer resume(String agent) {
        return told(agentService.resume(agent));
    }

    private static Answer told(ActionResult actionResult) {
        return new Answer(actionResult instanceof ActionResult.Done, actionResult.message());
    }

    @Override
    public Answer task(String agent, String task) throws InterruptedException {
        String text = task + HOW_TO_END;
        while (true) {
            ActionResult started = runner.start(agent, text);
            Optional<RunningAgent> running = runner.running(agent);
            if (running.isEmpty()) {
                if (started instanceof ActionResult.Refused) {
                    return told(started);
                }
                return result(agent);
            }
            if (started instanceof ActionResult.Refused) {
                running.get().controls().talk(text);
            }
            awaitEnd(running.get());
            if (running.get().controls().tookAllMessages()) {
                return result(agent);
            }
        }
    }

    private static void awaitEnd(RunningAgent agent) throws InterruptedException {
        try {
            agent.thread().join();
        } catch (InterruptedException e) {
            agent.controls().cancel();
            throw e;
        }
    }

    private Answer result(String agent) {
        String reason = runner.lastSession(agent).map(RunSession::endedReason).orElse(null);
        if (reason == null) {
            return new Answer(false, agent + " did not finish; its log says why");
        }
        if (!reason.startsWith(COMPLETE)) {
            return new Answer(false, agent + " " + reason);
        }
        return new Answer(true, reason.substring(COMPLETE.length()).replaceFirst("^: ", ""));
    }
}
