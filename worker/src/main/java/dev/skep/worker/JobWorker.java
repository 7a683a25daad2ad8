package dev.skep.worker;

import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.job.JobKind;
import dev.skep.kernel.job.JobPermissions;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.shell.redact.Redactor;
import dev.skep.transport.route.Json;
import dev.skep.wire.call.HeartbeatAnswer;
import dev.skep.wire.call.HubCall;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Works for one hub: beats, takes runs while this machine has room, does and reports them. */
public final class JobWorker implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(JobWorker.class);
    private static final Duration STEERING_POLL = Duration.ofSeconds(20);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

    /** The most runs beyond this machine's slots at once, all of them short. */
    private static final int STEERING_AT_ONCE = 16;

    private static final Duration FIRST_INTERVAL = Duration.ofSeconds(10);

    /** What a worker is given besides its hub. */
    public record Parts(
            String version,
            List<JobType> types,
            HostSlots slots,
            Supplier<Map<String, Double>> metrics,
            Supplier<Map<String, String>> facts,
            Function<String, Map<String, HubCall.ServerState>> serverStates,
            Redactor redactor) {
        /** Of a host that says nothing of itself. */
        public Parts(
                String version,
                List<JobType> types,
                HostSlots slots,
                Supplier<Map<String, Double>> metrics,
                Function<String, Map<String, HubCall.ServerState>> serverStates,
                Redactor redactor) {
            this(version, types, slots, metrics, Map::of, serverStates, redactor);
        }
    }

    private final DispatchClient dispatchClient;
    private final HubConsent consent;
    private final Parts parts;
    private final RunExecutor runExecutor;
    private final Optional<HoldWatcher> holds;
    private final Map<String, HeldRun> held = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Semaphore news = new Semaphore(0);
    private volatile Duration interval = FIRST_INTERVAL;
    private final Semaphore full = new Semaphore(0);
    private final Semaphore steering = new Semaphore(STEERING_AT_ONCE);
    private Thread poller = Thread.ofVirtual().unstarted(() -> {});
    private Thread steerer = Thread.ofVirtual().unstarted(() -> {});
    private final Set<Contact> failing = EnumSet.noneOf(Contact.class);

    /**
     * Takes no work yet.
     *
     * @param consent what this host lets the hub do; what it does not fails with that reason
     */
    public JobWorker(DispatchClient dispatchClient, HubConsent consent, Parts parts) {
        this(dispatchClient, consent, parts, Optional.empty());
    }

    /** The same for a host with agents, which the hub may have stand still. */
    public JobWorker(
            DispatchClient dispatchClient,
            HubConsent consent,
            Parts parts,
            Optional<HoldableAgents> agents) {
        this.dispatchClient = dispatchClient;
        this.consent = consent;
        this.parts = parts;
        this.runExecutor =
                new RunExecutor(dispatchClient, consent, parts.types(), parts.redactor(), closed);
        this.holds = agents.map(each -> new HoldWatcher(dispatchClient, consent, each));
        parts.slots().join();
    }

    /** The hub it works for, as this host calls it. */
    String hub() {
        return dispatchClient.name();
    }

    /** Whether servers of its hub may run: also while nothing is known of what it may. */
    boolean mayRunServers() {
        return !dispatchClient.isEnrolled() || consent.has(Consent.JOBS);
    }

    /** What this host allows may have changed: runs that it allows no longer end. */
    public void endWhatIsNotAllowed() {
        for (HeldRun each : held.values()) {
            boolean allowed =
                    JobKind.of(each.run().type())
                            .map(JobKind::consent)
                            .filter(consent::has)
                            .isPresent();
            if (!allowed && parts.types().stream().noneMatch(t -> t.needsNoConsent(each.run()))) {
                each.stop(HeldRun.Stop.WITHDRAWN);
            }
        }
        sendHeartbeatSoon();
        holds.ifPresent(HoldWatcher::reportSoon);
    }

    @Override
    public void start() {
        holds.ifPresent(HoldWatcher::start);
        Thread.ofVirtual().name("jobs-beat").start(this::sendHeartbeatsUntilClosed);
        poller = Thread.ofVirtual().name("jobs-poll").start(this::takeUntilClosed);
        steerer = Thread.ofVirtual().name("jobs-steer").start(this::steerUntilClosed);
    }

    @Override
    public void close() {
        closed.countDown();
        holds.ifPresent(HoldWatcher::close);
        news.release();
        poller.interrupt();
        steerer.interrupt();
        held.values().forEach(run -> run.stop(HeldRun.Stop.CLOSING));
        parts.slots().leave();
    }

    private void sendHeartbeatsUntilClosed() {
        try {
            while (closed.getCount() > 0) {
                beat();
                if (news.tryAcquire(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                    news.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Something changed that the hub should know before the next beat is due. */
    void sendHeartbeatSoon() {
        news.release();
    }

    /** Beats once. */
    public void beat() {
        try {
            HeartbeatAnswer answer = dispatchClient.beat(heartbeat());
            interval = answer.interval();
            answer.orders().forEach(this::obey);
            noteContact(Contact.BEAT, true, "");
        } catch (SkepException e) {
            noteContact(Contact.BEAT, false, String.valueOf(e.getMessage()));
        }
    }

    private HubCall.Heartbeat heartbeat() {
        List<HubCall.HeldAttempt> running =
                held.values().stream()
                        .map(HeldRun::run)
                        .map(run -> new HubCall.HeldAttempt(run.runId(), run.attempt()))
                        .toList();
        return new HubCall.Heartbeat(
                Optional.of(parts.version()),
                Optional.empty(),
                Optional.of(Json.text(parts.metrics().get())),
                running,
                parts.serverStates().apply(dispatchClient.name()),
                dispatchClient.isEnrolled()
                        ? Optional.of(consent.now().get().labels())
                        : Optional.empty(),
                Optional.of(parts.facts().get()).filter(facts -> !facts.isEmpty()));
    }

    private void obey(String runId, HeartbeatAnswer.RunOrder order) {
        HeldRun run = held.get(runId);
        if (run == null) {
            return;
        }
        switch (order) {
            case CANCEL -> run.stop(HeldRun.Stop.CANCELLED);
            case GONE -> run.stop(HeldRun.Stop.GONE);
            case RENEWED -> {}
        }
    }

    private void takeUntilClosed() {
        try {
            while (closed.getCount() > 0) {
                if (!parts.slots().takeAtOnce()) {
                    full.release();
                    parts.slots().take();
                }
                PollResult pollResult = PollResult.FAILED;
                try {
                    pollResult =
                            take(
                                    DispatchClient.AcceptedWork.FOR_ANYTHING,
                                    parts.slots().maxPollTime());
                    parts.slots().pollFinished(pollResult == PollResult.FOUND);
                } finally {
                    if (pollResult != PollResult.FOUND) {
                        parts.slots().giveBack();
                    }
                }
                pauseAfter(pollResult);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** While this machine has no room, people still steer its agents. */
    private void steerUntilClosed() {
        try {
            while (closed.getCount() > 0) {
                full.acquire();
                full.drainPermits();
                while (closed.getCount() > 0 && parts.slots().isFull()) {
                    pauseAfter(steer());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private PollResult steer() throws InterruptedException {
        steering.acquire();
        PollResult pollResult = PollResult.FAILED;
        try {
            pollResult = take(DispatchClient.AcceptedWork.FOR_STEERING, STEERING_POLL);
            return pollResult;
        } finally {
            if (pollResult != PollResult.FOUND) {
                steering.release();
            }
        }
    }

    private enum PollResult {
        /** A run was taken, whose thread gives back what it holds. */
        FOUND,
        NOTHING,
        FAILED
    }

    private PollResult take(DispatchClient.AcceptedWork acceptedWork, Duration wait) {
        try {
            var next = dispatchClient.next(wait, acceptedWork);
            noteContact(Contact.LOOK, true, "");
            next.ifPresent(
                    run -> begin(run, acceptedWork == DispatchClient.AcceptedWork.FOR_ANYTHING));
            return next.isPresent() ? PollResult.FOUND : PollResult.NOTHING;
        } catch (SkepException e) {
            noteContact(Contact.LOOK, false, String.valueOf(e.getMessage()));
            return PollResult.FAILED;
        }
    }

    /** Also ends, by the interrupt, when the look failed because it was cut short by closing. */
    private void pauseAfter(PollResult pollResult) throws InterruptedException {
        if (pollResult == PollResult.FAILED) {
            closed.await(AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void begin(AssignedRun run, boolean hasSlot) {
        List<HeldRun> earlier = held.values().stream().filter(other -> other.isOf(run)).toList();
        Thread thread =
                Thread.ofVirtual()
                        .name("job-" + run.runId())
                        .unstarted(
                                () -> {
                                    giveUp(earlier);
                                    act(run, hasSlot);
                                });
        HeldRun holding = new HeldRun(run, thread);
        held.put(run.runId(), holding);
        thread.start();
        if (closed.getCount() == 0) {
            holding.stop(HeldRun.Stop.CLOSING);
        }
    }

    /** The hub took an earlier run of the same job for lost; the two must not run side by side. */
    private static void giveUp(List<HeldRun> earlier) {
        try {
            for (HeldRun each : earlier) {
                each.stop(HeldRun.Stop.GONE);
                each.awaitOver();
            }
        } catch (InterruptedException stopped) {
            // What comes next sees it.
            Thread.currentThread().interrupt();
        }
    }

    private void act(AssignedRun run, boolean hasSlot) {
        HeldRun holding = held.get(run.runId());
        Optional<AssignedRun> next = Optional.empty();
        try {
            if (!hasSlot && !takesNoSlot(run)) {
                runExecutor.refuse(run, "this host does no more jobs at once; ask again");
            } else if (holding != null) {
                next = runExecutor.act(holding, () -> hasSlot && mayGoOn());
            }
        } finally {
            held.remove(run.runId());
            if (next.isPresent()) {
                begin(next.get(), hasSlot);
            } else if (hasSlot) {
                parts.slots().giveBack();
            } else {
                steering.release();
            }
        }
    }

    /** Decided here and not by the hub: how much this machine does at once is up to its owner. */
    private static boolean takesNoSlot(AssignedRun run) {
        return JobKind.of(run.type()).isPresent() && !JobPermissions.isGrantable(run.type());
    }

    /** Whether a slot may be kept for the next run of the same hub. */
    private boolean mayGoOn() {
        return closed.getCount() > 0 && !parts.slots().hasCompetingHubs();
    }

    /** A hub that cannot write may still answer a poll that finds nothing. */
    private enum Contact {
        BEAT,
        LOOK
    }

    /** Logs the first failure and the recovery, not each try. */
    private synchronized void noteContact(Contact contact, boolean works, String reason) {
        boolean failed = !failing.isEmpty();
        if (works) {
            failing.remove(contact);
        } else {
            failing.add(contact);
        }
        if (failed && failing.isEmpty()) {
            LOG.info("jobs from the hub again hub={}", dispatchClient.name());
        } else if (!failed && !works && closed.getCount() > 0) {
            LOG.warn("no jobs from the hub hub={} reason={}", dispatchClient.name(), reason);
        }
    }
}
