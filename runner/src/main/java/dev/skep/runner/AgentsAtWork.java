package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import dev.skep.kernel.id.AgentId;
import dev.skep.runner.loop.LoopControls;
import dev.skep.runner.mail.UnreadMail;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the agents of this host, has those that are at work, and ends them. Thread-safe. */
final class AgentsAtWork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentsAtWork.class);
    private static final Duration CLOSING = Duration.ofSeconds(4);
    private static final Duration RESTARTING = Duration.ofMinutes(2);

    private final Runner runner;
    private final Parts parts;
    private final Map<AgentId, RunningAgent> running = new ConcurrentHashMap<>();
    private volatile boolean closing;

    /** What decides whether an agent starts, and what starts it. */
    record Parts(
            Runner.Parts runner,
            OwnAgentFiles own,
            KnownAgents known,
            DueStarts due,
            HeldAgents held,
            HealGate heals,
            UnreadMail unread,
            AgentStarter starter,
            AgentMerger agentMerger) {}

    /**
     * None is at work yet.
     *
     * @param runner whose monitor keeps an agent from being started twice
     */
    AgentsAtWork(Runner runner, Parts parts) {
        this.runner = runner;
        this.parts = parts;
    }

    List<RunningAgent> all() {
        return List.copyOf(running.values());
    }

    Optional<RunningAgent> named(String username) {
        return parts.known().named(username).flatMap(found -> with(found.agent().id()));
    }

    Optional<RunningAgent> with(AgentId id) {
        return Optional.ofNullable(running.get(id));
    }

    /** Starts those that were held, if nothing holds them any more. */
    void startHeld() {
        synchronized (runner) {
            if (runner.waitsFor().isEmpty() && !closing) {
                Map<AgentId, DueStarts.Held> taken =
                        parts.due().takeHeld(id -> !running.containsKey(id));
                parts.known().all().stream()
                        .filter(
                                each ->
                                        taken.containsKey(each.agent().id())
                                                && parts.due().withRunner(each))
                        .forEach(each -> startHeld(each, taken));
            }
        }
    }

    private void startHeld(AgentRegistrar.Registered each, Map<AgentId, DueStarts.Held> taken) {
        DueStarts.Held was = taken.get(each.agent().id());
        if (was != null) {
            startDue(each, was.paused());
            RunningAgent started = running.get(each.agent().id());
            if (started != null) {
                was.said().forEach(started.controls()::say);
            }
        }
    }

    /** Starts all that a start of their runner starts; who was paused stays so. */
    void startAllDue() {
        Set<AgentId> paused =
                parts.own().stores().notifications().all(runner.principal()).stream()
                        .filter(n -> n.status() == AgentStatus.PAUSED)
                        .map(Notification::agent)
                        .collect(Collectors.toSet());
        for (AgentRegistrar.Registered each : parts.known().all()) {
            if (parts.due().withRunner(each)) {
                startDue(each, paused.contains(each.agent().id()));
            }
        }
    }

    /** Starts a known agent if a start of its runner would. */
    void startIfDue(String username) {
        parts.known()
                .named(username)
                .filter(parts.due()::withRunner)
                .ifPresent(each -> startDue(each, false));
    }

    private void startDue(AgentRegistrar.Registered each, boolean paused) {
        synchronized (runner) {
            if (running.containsKey(each.agent().id())) {
                return;
            }
            if (parts.heals().waitsFor().or(parts.held()::waitsFor).isPresent()) {
                parts.held().startsLater(each, paused);
            } else if (launch(each, null, paused) instanceof ActionResult.Refused(var why)) {
                LOG.warn("agent={} not started: {}", each.agent().username(), why);
            }
        }
    }

    /** Starts an agent; a task is its first message. */
    ActionResult start(String username, LoopControls.@Nullable Said task) {
        synchronized (runner) {
            return parts.known()
                    .named(username)
                    .map(found -> launch(found, task, false))
                    .orElseGet(
                            () ->
                                    new ActionResult.Refused(
                                            runner.waitsFor()
                                                    .orElse(
                                                            "there is no agent '%s' on this host; 'skep agents' lists them"
                                                                    .formatted(username))));
        }
    }

    /**
     * Ends what an agent does and lets it continue with its file as it is now; one that is not at
     * work stays so.
     *
     * @return whether it is at work
     */
    boolean restart(String username) {
        Optional<RunningAgent> was = named(username);
        was.ifPresent(
                agent -> {
                    boolean paused = agent.status() == AgentStatus.PAUSED;
                    // Without a reason: its session stays open, also if this process ends now.
                    agent.controls().stop(null);
                    Thread.ofVirtual()
                            .name("restart-" + username)
                            .start(() -> startAfter(agent, paused));
                });
        return was.isPresent();
    }

    private void startAfter(RunningAgent before, boolean paused) {
        String username = before.registered().agent().username();
        if (!before.joined(RESTARTING)) {
            LOG.warn("agent={} did not stop in time and is not started again", username);
        } else if (!closing) {
            parts.known().named(username).ifPresent(each -> startDue(each, paused));
        }
    }

    private ActionResult launch(
            AgentRegistrar.Registered found, LoopControls.@Nullable Said task, boolean paused) {
        synchronized (runner) {
            Agent agent = found.agent();
            Optional<String> waitsFor = runner.waitsFor();
            if (waitsFor.isPresent()) {
                return new ActionResult.Refused(waitsFor.get());
            }
            if (!isLive(agent)) {
                return new ActionResult.Refused(
                        "%s was removed; 'skep agents restore %s' brings it back"
                                .formatted(agent.username(), agent.username()));
            }
            if (closing
                    || running.containsKey(agent.id())
                    || parts.agentMerger().isLeaving(agent.id())) {
                return new ActionResult.Refused(
                        "%s is running already".formatted(agent.username()));
            }
            return switch (parts.starter()
                    .made(found, parts.known().names(), task, paused, this::over)) {
                case AgentStarter.Made.Refused(var why) -> failed(agent, why);
                case AgentStarter.Made.Ready(var runs) -> {
                    running.put(agent.id(), runs);
                    runs.thread().start();
                    yield new ActionResult.Done("%s is started".formatted(agent.username()));
                }
            };
        }
    }

    /** Mail that came as the loop ended must not wait for the next one. */
    private void over(AgentId id, LoopControls controls) {
        running.remove(id);
        if (!closing && parts.held().isSetAside(id, controls)) {
            // All may have been let go while it ended.
            runner.eased();
            return;
        }
        if (!closing && controls.hasUnseenMail()) {
            parts.unread().announceAgain(id);
            runner.lookForMail();
        }
    }

    /** The current row: the agent may have been removed or taken over since. */
    private boolean isLive(Agent agent) {
        return parts.own()
                .stores()
                .agents()
                .byId(runner.principal(), agent.id())
                .filter(row -> row.isLive() && row.host().equals(parts.own().host().id()))
                .isPresent();
    }

    private ActionResult failed(Agent agent, String why) {
        parts.own()
                .stores()
                .notifications()
                .add(
                        new Notification(
                                agent.id(),
                                null,
                                null,
                                null,
                                AgentStatus.FAILED,
                                null,
                                parts.own().redactor().redact(why)));
        parts.runner().watcher().changed(agent, AgentStatus.FAILED, why);
        return new ActionResult.Refused(why);
    }

    /** There is mail for an agent: it hears of it, or starts if mail starts it. */
    void mailCame(AgentId id) {
        RunningAgent agent = running.get(id);
        if (agent != null) {
            agent.controls().mailArrived();
            return;
        }
        parts.known().all().stream()
                .filter(found -> found.agent().id().equals(id) && parts.due().withMail(found))
                .forEach(this::wake);
    }

    /** One that may not start now hears of it when it may. */
    private void wake(AgentRegistrar.Registered found) {
        if (parts.held().waitsFor().isPresent()) {
            parts.unread().announceAgain(found.agent().id());
        } else {
            launch(found, null, false);
        }
    }

    /** From now on none starts; those at work go on until they are closed. */
    void startNoMore() {
        closing = true;
    }

    /** Leaves every session open, so that the next start continues it. */
    @Override
    public void close() {
        startNoMore();
        List<RunningAgent> all = all();
        all.forEach(agent -> agent.controls().stop(null));
        long end = System.nanoTime() + CLOSING.toNanos();
        for (RunningAgent agent : all) {
            if (!agent.joined(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
                LOG.warn("agent={} did not stop in time", agent.registered().agent().username());
            }
        }
    }
}
