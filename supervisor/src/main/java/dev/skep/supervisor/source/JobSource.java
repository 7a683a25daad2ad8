package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The queue of an org and what became of it. */
public interface JobSource {
    /** Narrows a list of jobs; what is empty does not. */
    record Filter(Optional<String> status, Optional<String> host, Optional<String> server) {
        public static final Filter ALL =
                new Filter(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** The newest jobs before an id, newest first. */
    List<JobView> newest(Principal principal, Filter filter, Optional<String> before, int limit);

    /** How many jobs there are in each state. */
    Map<String, Long> counts(Principal principal, Filter filter);

    /** How a job is to be done; what is null is not limited. */
    record Terms(int maxAttempts, @Nullable Long timeoutSeconds, @Nullable Instant runAt) {}

    /** A job with its payload and its runs, the newest first. */
    record Detail(JobView job, Terms terms, String payload, List<RunView> runs) {}

    Optional<Detail> find(Principal principal, String job);

    /** What a run printed after a piece, in order. */
    List<OutputView> output(Principal principal, String run, long after, int limit);
}
