package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.queue.Report;
import dev.skep.dispatch.queue.Wanted;
import dev.skep.kernel.identity.Principal;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a host says and asks for in one step.
 *
 * @param report how a run of it ended, or null
 * @param wanted what it would do next, or null
 */
public record HostTurn(Principal.Host host, @Nullable Report report, @Nullable Wanted wanted) {

    public boolean asks() {
        return wanted != null;
    }

    /** What was said in these turns, in their order. */
    public static List<HostReport> reports(List<HostTurn> turns) {
        return turns.stream().flatMap(HostTurn::said).toList();
    }

    private Stream<HostReport> said() {
        return report == null ? Stream.empty() : Stream.of(new HostReport(host, report));
    }

    /** Who asks for how much in these turns, in their order. */
    public static List<HostTurn> asking(List<HostTurn> turns) {
        return turns.stream().filter(HostTurn::asks).toList();
    }

    /** What an asking host has room for. */
    public Wanted wants() {
        return Objects.requireNonNull(wanted);
    }
}
