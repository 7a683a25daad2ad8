package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import dev.skep.agents.session.RunSession;
import dev.skep.directory.host.JoinedHub;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.runner.hold.AgentHolds;
import dev.skep.runner.hold.FirstWords;
import dev.skep.runner.loop.LoopControls;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Has all agents stand still while something holds them, and lets each go back to what it was. At
 * once no work of theirs begins; programs that think for managed agents end, since they could begin
 * some by themselves. What else is under way gets a while to finish. Then each agent's run ends
 * with its session open, as when the runner stops. Thread-safe.
 */
final class HeldAgents implements AutoCloseable {
    private static final Duration TO_FINISH = Duration.ofSeconds(15);

    private final Runner runner;
    private final RunnerStores stores;
    private final LocalHost host;
    private final InstantSource clock;
    private final AgentHolds holds;
    private final DueStarts due;
    private final FirstWords firstWords = new FirstWords();
    private @Nullable CountDownLatch lifted;

    HeldAgents(
            Runner runner,
            RunnerStores stores,
            LocalHost host,
            UlidSource ids,
            InstantSource clock,
            DueStarts due) {
        this.runner = runner;
        this.stores = stores;
        this.host = host;
        this.clock = clock;
        this.holds = new AgentHolds(stores.holds(), host.principal(), ids, clock);
        this.due = due;
        holds.onChange(this::apply);
    }

    AgentHolds holds() {
        return holds;
    }

    FirstWords firstWords() {
        return firstWords;
    }

    /** Asks those hubs first that may stop all agents of this host. */
    void start(Runnable then) {
        firstWords.start(
                host.keys().hubs().stream()
                        .map(JoinedHub::url)
                        .filter(hub -> host.keys().allows(hub).has(Consent.STEER))
                        .toList(),
                then);
    }

    /** Why agents may not start, in words; empty if they may. */
    Optional<String> waitsFor() {
        return holds.why().or(firstWords::waitsFor);
    }

    /** How many agents would be at work. */
    int count() {
        return (int)
                        runner.atWork().all().stream()
                                .filter(each -> !due.isHeld(each.registered().agent().id()))
                                .count()
                + due.waiting();
    }

    private void apply() {
        synchronized (runner) {
            Optional<String> why = holds.why();
            if (why.isPresent()) {
                hold(why.get());
            } else {
                release();
            }
        }
        if (holds.why().isEmpty()) {
            runner.eased();
        }
    }

    private void hold(String why) {
        for (RunningAgent each : runner.atWork().all()) {
            each.controls().hold(why);
            if (each.registered().source().content().isManaged()) {
                setAside(each);
            }
        }
        if (lifted == null) {
            CountDownLatch until = new CountDownLatch(1);
            lifted = until;
            Thread.ofVirtual().name("hold-all").start(() -> setAsideAfterAWhile(until));
        }
    }

    private void setAsideAfterAWhile(CountDownLatch until) {
        try {
            if (until.await(TO_FINISH.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            return;
        }
        synchronized (runner) {
            if (until.equals(lifted)) {
                runner.atWork().all().forEach(this::setAside);
            }
        }
    }

    /** Its session stays open, so that its next start goes on with it. */
    private void setAside(RunningAgent agent) {
        LoopControls controls = agent.controls();
        if (!controls.isStopping()) {
            due.hold(agent.registered().agent().id(), controls.isPaused());
            controls.stop(null);
        }
    }

    private void release() {
        if (lifted != null) {
            lifted.countDown();
            lifted = null;
        }
        runner.atWork().all().forEach(each -> each.controls().release());
    }

    /** An agent that would start now waits until all are let go. */
    void startsLater(AgentRegistrar.Registered each, boolean paused) {
        due.hold(each.agent().id(), paused);
        holds.why()
                .filter(_ -> !paused)
                .ifPresent(why -> show(each.agent(), AgentStatus.HELD, why));
    }

    private void show(Agent agent, AgentStatus status, @Nullable String why) {
        stores.notifications()
                .add(new Notification(agent.id(), null, null, null, status, null, why));
    }

    /** Whether its run ended because all stand still; what it did not hear, it hears later. */
    boolean isSetAside(AgentId agent, LoopControls controls) {
        return due.say(agent, controls.takeSaid());
    }

    /** What a person says to one that was set aside; false if it was not. */
    boolean talk(Agent agent, String text) {
        return due.say(agent.id(), List.of(new LoopControls.Said(text, false)));
    }

    /** One that was set aside does not go on when all do; false if it was not. */
    boolean pause(Agent agent) {
        boolean was = due.pause(agent.id());
        if (was) {
            show(agent, AgentStatus.PAUSED, holds.why().orElse(null));
        }
        return was;
    }

    /** One that was set aside ends its session; false if it was not. */
    boolean stop(Agent agent, String reason) {
        boolean was = due.forget(agent.id());
        if (was) {
            stores.sessions()
                    .toResume(agent.id())
                    .map(session -> session.ended(reason, clock.instant()))
                    .ifPresent((RunSession session) -> stores.sessions().put(session));
            show(agent, AgentStatus.STOPPED, null);
        }
        return was;
    }

    @Override
    public void close() {
        synchronized (runner) {
            if (lifted != null) {
                lifted.countDown();
                lifted = null;
            }
        }
    }
}
