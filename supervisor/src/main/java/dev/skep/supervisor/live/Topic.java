package dev.skep.supervisor.live;

import dev.skep.kernel.identity.Principal;
import java.util.List;
import java.util.Set;

/**
 * A list that pages watch.
 *
 * @param tables whose changes concern it; empty if only the clock says when to look again
 */
public record Topic(String name, Set<String> tables, Reader reader) {
    public Topic {
        tables = Set.copyOf(tables);
    }

    /** Reads all rows as they are now. */
    @FunctionalInterface
    public interface Reader {
        List<? extends Keyed> read(Principal principal);
    }
}
