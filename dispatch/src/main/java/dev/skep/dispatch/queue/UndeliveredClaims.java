package dev.skep.dispatch.queue;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Returns a claim whose host disconnected before it received it. */
public final class UndeliveredClaims {
    private static final Logger LOG = LoggerFactory.getLogger(UndeliveredClaims.class);

    private UndeliveredClaims() {}

    /**
     * Gives the run back, if there is one, on a thread of its own: the caller's may have been
     * interrupted. Where that fails, its lease brings it back.
     */
    public static void giveBack(JobQueue queue, Principal.Host host, ClaimResult claim) {
        if (claim instanceof ClaimResult.Claimed(Assignment run)) {
            Thread.ofVirtual()
                    .name("undelivered")
                    .start(() -> giveBack(queue, host, new ActiveRun(run.run(), run.attempt())));
        }
    }

    private static void giveBack(JobQueue queue, Principal.Host host, ActiveRun run) {
        try {
            queue.giveBack(host, run);
        } catch (SkepException e) {
            LOG.warn(
                    "an undelivered run waits for its lease run={} reason={}",
                    run.run(),
                    e.getMessage());
        }
    }
}
