package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.queue.ClaimScope;
import dev.skep.dispatch.queue.RunReport;
import dev.skep.kernel.identity.Principal;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a host reports and requests in one call.
 *
 * @param report how a run of it ended, or null
 * @param wanted what it would do next, or null
 */
public record TurnRequest(
        Principal.Host host, @Nullable RunReport report, @Nullable ClaimScope wanted) {

    public boolean asks() {
        return wanted != null;
    }

    /** The reports in these turns, in their order. */
    public static List<HostReport> reports(List<TurnRequest> turns) {
        return turns.stream().flatMap(TurnRequest::said).toList();
    }

    private Stream<HostReport> said() {
        return report == null ? Stream.empty() : Stream.of(new HostReport(host, report));
    }

    /** The turns that ask for runs, in their order. */
    public static List<TurnRequest> asking(List<TurnRequest> turns) {
        return turns.stream().filter(TurnRequest::asks).toList();
    }

    /** What an asking host has room for. */
    public ClaimScope wants() {
        return Objects.requireNonNull(wanted);
    }
}
