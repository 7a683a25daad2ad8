package dev.skep.runner;

import dev.skep.agents.session.RunSession;
import dev.skep.runner.loop.LoopControls;
import java.util.Optional;

/** Tasks that are given to agents from outside, until their sessions end. Thread-safe. */
public final class AgentTasks {
    private static final String HOW_TO_END =
            "\n\nThis is a job. When it is done, say what came of it with: session complete \"RESULT\"";
    private static final String COMPLETE = "complete";

    private final Runner runner;

    public AgentTasks(Runner runner) {
        this.runner = runner;
    }

    /**
     * Gives an agent a task and waits until its session is over. Interrupted, it has the agent give
     * up what it does.
     */
    public ActionResult task(String agent, String task) throws InterruptedException {
        runner.firstWords().await();
        var said = new LoopControls.Said(task + HOW_TO_END, true);
        while (true) {
            ActionResult started = runner.atWork().start(agent, said);
            Optional<RunningAgent> running = runner.atWork().named(agent);
            if (running.isEmpty()) {
                if (started instanceof ActionResult.Refused) {
                    return started;
                }
                return result(agent);
            }
            if (started instanceof ActionResult.Refused) {
                running.get().controls().say(said);
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

    private ActionResult result(String agent) {
        String reason = runner.lastSession(agent).map(RunSession::endedReason).orElse(null);
        if (reason == null) {
            return new ActionResult.Refused(agent + " did not finish; its log says why");
        }
        if (!reason.startsWith(COMPLETE)) {
            return new ActionResult.Refused(agent + " " + reason);
        }
        return new ActionResult.Done(reason.substring(COMPLETE.length()).replaceFirst("^: ", ""));
    }
}
