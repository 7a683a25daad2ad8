package dev.skep.worker;

import dev.skep.shell.SandboxedCommands;
import dev.skep.wire.call.HubCall;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One supervised server: at most one process, started again as its spec says, each time a little
 * later. Its output goes straight to its log file, so that it outlives this runner. Thread-safe.
 *
 * <pre>
 * stopped ──start──► running ──ended, to be run again──► restarting ──► running
 *    ▲                  │  └──ended, and that is that──► stopped (0) | failed
 *    └──────stop────────┘
 * </pre>
 */
final class ServerProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

    /** Its guard ends it earlier; this is for a guard that does not. */
    private static final Duration GRACE = SandboxedCommands.SERVER_GRACE.plusSeconds(2);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** A process that ran this long restarts with the shortest pause. */
    private static final Duration STEADY = Duration.ofMinutes(1);

    private final String id;
    private final ServerFiles files;
    private final HostRules rules;
    private final SandboxedCommands commands;
    private final InstantSource clock;
    private final Predicate<String> allowed;
    private final Runnable changed;
    private String state = "stopped";
    private Instant since;
    private @Nullable ProcessHandle process;
    private Instant started = Instant.EPOCH;
    private Duration pause = FIRST_PAUSE;

    /** Counts starts and stops: what was planned before the last of them no longer counts. */
    private long plan;

    ServerProcess(
            String id,
            ServerFiles files,
            HostRules rules,
            SandboxedCommands commands,
            InstantSource clock,
            Predicate<String> allowed,
            Runnable changed) {
        this.id = id;
        this.files = files;
        this.rules = rules;
        this.commands = commands;
        this.clock = clock;
        this.allowed = allowed;
        this.changed = changed;
        this.since = clock.instant();
    }

    synchronized String state() {
        return state;
    }

    /** The state that hubs receive; with durations rather than times, because clocks differ. */
    synchronized HubCall.ServerState serverState() {
        Duration age = Duration.between(since, clock.instant());
        return new HubCall.ServerState(state, Optional.of(age.isNegative() ? Duration.ZERO : age));
    }

    synchronized @Nullable Long pid() {
        return process == null ? null : process.pid();
    }

    /** Starts it unless it runs; what is wanted is on disk before anything is started. */
    synchronized void start(ServerSpec spec, String hub) {
        files.write(id, new ServerFiles.DesiredState(spec, true, hub));
        plan++;
        pause = FIRST_PAUSE;
        if (process == null || !process.isAlive()) {
            launch(spec);
        }
    }

    /** Takes over a process that an earlier runner started. */
    synchronized void adopt(ServerSpec spec, ProcessHandle alive) {
        plan++;
        LOG.info("server adopted server={} pid={}", id, alive.pid());
        watch(spec, alive, alive.onExit().thenApply(ended -> -1));
        become("running");
        since = alive.info().startInstant().orElse(since);
    }

    void stop() {
        ProcessHandle running;
        synchronized (this) {
            plan++;
            files.read(id).ifPresent(desiredState -> files.write(id, desiredState.stopped()));
            running = process;
        }
        if (running != null) {
            ProcessGroup.end(running, GRACE);
        }
        synchronized (this) {
            process = null;
            become("stopped");
        }
    }

    /** What allowed it once may have been withdrawn since. */
    private boolean isAllowed() {
        Optional<ServerFiles.DesiredState> desiredState = files.read(id);
        if (desiredState.filter(found -> allowed.test(found.hub())).isPresent()) {
            return true;
        }
        LOG.warn("server not started, this host does not allow its hub jobs server={}", id);
        desiredState.ifPresent(found -> files.write(id, found.stopped()));
        become("stopped");
        return false;
    }

    private void launch(ServerSpec spec) {
        if (!isAllowed()) {
            return;
        }
        Path log = files.log(id);
        try {
            SandboxedCommands.Line line =
                    rules.checkedAgain(
                            spec.requestedCommand(),
                            names ->
                                    LOG.warn(
                                            "server started without variables that allowed-env does not list server={} variables={}",
                                            id,
                                            names));
            Process launched = commands.startForGood(line, ServerFiles.mark(id), log);
            watch(spec, launched.toHandle(), launched.onExit().thenApply(Process::exitValue));
            become("running");
        } catch (IOException | NotAllowedException e) {
            LOG.warn("server not started server={} reason={}", id, e.getMessage());
            become("failed");
        }
    }

    private void watch(ServerSpec spec, ProcessHandle handle, CompletableFuture<Integer> exit) {
        process = handle;
        started = clock.instant();
        long planned = plan;
        var _ = exit.thenAccept(status -> ended(spec, planned, status));
    }

    private synchronized void ended(ServerSpec spec, long planned, int status) {
        if (planned != plan) {
            return;
        }
        process = null;
        boolean again =
                switch (spec.restart()) {
                    case ALWAYS -> true;
                    case ON_FAILURE -> status != 0;
                    case NEVER -> false;
                };
        if (!again) {
            become(status == 0 ? "stopped" : "failed");
            return;
        }
        boolean steady = !clock.instant().isBefore(started.plus(STEADY));
        Duration wait = steady ? FIRST_PAUSE : pause;
        Duration longer = wait.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        LOG.info("server ended, starts again server={} status={} in={}", id, status, wait);
        become("restarting");
        var _ =
                CompletableFuture.runAsync(
                        () -> launchIfStillPlanned(spec, planned),
                        CompletableFuture.delayedExecutor(wait.toMillis(), TimeUnit.MILLISECONDS));
    }

    private synchronized void launchIfStillPlanned(ServerSpec spec, long planned) {
        if (planned == plan) {
            launch(spec);
        }
    }

    private void become(String next) {
        if (!state.equals(next)) {
            state = next;
            since = clock.instant();
            changed.run();
        }
    }

    /** Lets it run on without this runner, which ends. */
    synchronized void leave() {
        plan++;
    }
}
