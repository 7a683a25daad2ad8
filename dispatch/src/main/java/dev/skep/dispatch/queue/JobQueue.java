package dev.skep.dispatch.queue;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where jobs wait, are taken, and end. Thread-safe; every method returns when it is durable. */
public interface JobQueue extends Component {
    /** Stores jobs for hosts of the actor's org, in order; all or none. */
    List<CreatedJob> create(Actor actor, List<NewJob> jobs);

    /** Whether a job for this host, if created now, could begin at once; a hint, no promise. */
    HostCapacity room(Principal.Host host);

    /**
     * A host's report and its request for work in one step.
     *
     * @param report how a run of it ended, or null
     * @param claimScope what it would do next, or null
     */
    TurnResult turn(
            Principal.Host host, @Nullable RunReport report, @Nullable ClaimScope claimScope);

    /** Takes the next run for a host, if it may have one. */
    default ClaimResult claim(Principal.Host host) {
        return claim(host, ClaimScope.ANYTHING);
    }

    /** The same, of what it has room for. */
    default ClaimResult claim(Principal.Host host, ClaimScope claimScope) {
        return turn(host, null, claimScope).next();
    }

    /** A host reports how a run ended. */
    default ReportResult settle(Principal.Host host, RunReport report) {
        return turn(host, report, null).settlement();
    }

    /** The same, and claims the next run in one step. */
    default TurnResult settleAndClaim(Principal.Host host, RunReport report) {
        return turn(host, report, ClaimScope.ANYTHING);
    }

    /** Takes back a run that did not reach its host; another attempt follows at once. */
    void giveBack(Principal.Host host, ActiveRun undelivered);

    /** Renews the leases of runs a host holds; the answers are in the order of the holdings. */
    List<LeaseRenewal> renew(Principal.Host host, List<ActiveRun> held);

    /** Ends a waiting job; one that runs is asked to stop with its next renewal. */
    CancelResult cancel(Actor actor, JobId job);

    /** Runs a finished job once more. */
    RetryResult retry(Actor actor, JobId job);

    /** Wakes what is due, ends what is lost or overdue; called every second. */
    Swept sweep();

    /**
     * Sets a listener for hosts that may have something to claim; called on any thread, must not
     * block.
     */
    void onWork(Consumer<HostId> listener);

    /** What a sweep did. */
    record Swept(int woken, int lost, int overdue) {}
}
