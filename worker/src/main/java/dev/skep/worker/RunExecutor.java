package dev.skep.worker;

import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.job.JobKind;
import dev.skep.shell.redact.Redactor;
import dev.skep.wire.call.ResultStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does one run from its start until the hub has taken its report. */
final class RunExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(RunExecutor.class);
    private static final Duration SEND_EVERY = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final DispatchClient dispatchClient;
    private final HubConsent consent;
    private final List<JobType> types;
    private final Redactor redactor;
    private final CountDownLatch closed;

    RunExecutor(
            DispatchClient dispatchClient,
            HubConsent consent,
            List<JobType> types,
            Redactor redactor,
            CountDownLatch closed) {
        this.dispatchClient = dispatchClient;
        this.consent = consent;
        this.types = List.copyOf(types);
        this.redactor = redactor;
        this.closed = closed;
    }

    /**
     * Does a run and returns the next, if the hub handed one out with the report.
     *
     * @param more whether this host would do another, asked when this one is over
     */
    Optional<AssignedRun> act(HeldRun held, BooleanSupplier more) {
        AssignedRun run = held.run();
        OutputSender output = new OutputSender(dispatchClient, run, redactor);
        CountDownLatch over = new CountDownLatch(1);
        Thread.ofVirtual().name("output-" + run.runId()).start(() -> sendUntil(over, output));
        JobType type = type(run.type());
        JobResult result;
        try {
            result = type == null ? unknown(run) : execute(type, held, output, over);
        } finally {
            over.countDown();
            held.isOver();
        }
        // The flag of a stop that came at the very end must not break the report.
        Thread.interrupted();
        HeldRun.Stop reason = held.reason().get();
        if (reason == HeldRun.Stop.GONE || reason == HeldRun.Stop.CLOSING) {
            return Optional.empty();
        }
        output.finish();
        return report(run, result, more);
    }

    /** Reports a run as failed of which nothing was done. */
    void refuse(AssignedRun run, String why) {
        report(run, JobResult.failed(why), () -> false);
    }

    private static JobResult unknown(AssignedRun run) {
        return JobResult.failed(
                "this host does no jobs of type '%s': its runner is older, or it is a registry alone"
                        .formatted(run.type()));
    }

    private JobResult execute(JobType type, HeldRun held, RunOutput output, CountDownLatch over) {
        AssignedRun run = held.run();
        Optional<Consent> needed = JobKind.of(run.type()).map(JobKind::consent);
        if (needed.isEmpty()) {
            return unknown(run);
        }
        if (!consent.has(needed.get()) && !type.needsNoConsent(run)) {
            return JobResult.failed(consent.refusal(needed.get()));
        }
        type.timeLimit(run).ifPresent(limit -> watch(held, limit, over));
        try {
            return type.run(run, output);
        } catch (InterruptedException e) {
            HeldRun.Stop reason = held.reason().get();
            return reason == HeldRun.Stop.WITHDRAWN
                    ? JobResult.failed(consent.refusal(needed.get()))
                    : stopped(reason);
        } catch (SkepException e) {
            return JobResult.failed(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.warn("run failed unexpectedly run={} type={}", run.runId(), run.type(), e);
            return JobResult.failed("unexpected failure on the host; its log has the details");
        }
    }

    private @Nullable JobType type(String name) {
        return types.stream().filter(type -> type.does(name)).findFirst().orElse(null);
    }

    private static JobResult stopped(HeldRun.@Nullable Stop reason) {
        ResultStatus status =
                reason == HeldRun.Stop.TIMED_OUT ? ResultStatus.TIMED_OUT : ResultStatus.CANCELLED;
        return new JobResult(status, Map.of());
    }

    private static void watch(HeldRun held, Duration timeout, CountDownLatch over) {
        Thread.ofVirtual()
                .name("timeout-" + held.run().runId())
                .start(
                        () -> {
                            try {
                                if (!over.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                                    held.stop(HeldRun.Stop.TIMED_OUT);
                                }
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
    }

    private static void sendUntil(CountDownLatch over, OutputSender output) {
        try {
            while (!over.await(SEND_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                output.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Until the hub has it: it keeps its lease by beats meanwhile. */
    private Optional<AssignedRun> report(AssignedRun run, JobResult result, BooleanSupplier more) {
        Duration pause = Duration.ofMillis(200);
        while (closed.getCount() > 0) {
            try {
                boolean wanted = more.getAsBoolean();
                Optional<AssignedRun> next =
                        dispatchClient.report(run.runId(), run.attempt(), result, wanted);
                // There is no slot for a run that was not requested; the hub will consider it lost.
                return wanted ? next : Optional.empty();
            } catch (SkepException e) {
                if (e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.BAD_REQUEST) {
                    LOG.warn("report refused run={} reason={}", run.runId(), e.getMessage());
                    return Optional.empty();
                }
                pause = pauseAfter(pause);
            }
        }
        return Optional.empty();
    }

    private Duration pauseAfter(Duration pause) {
        try {
            closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // A late stop: the report still has to get through.
        }
        Duration longer = pause.multipliedBy(2);
        return longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }
}
