package dev.skep.supervisor.live;

import dev.skep.kernel.id.Keyed;
import dev.skep.kernel.identity.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A list that pages watch.
 *
 * @param tables whose changes concern it, or names of other changes
 * @param rest how soon after a reading the next may be
 * @param lasting until when the last rows are valid if no change is reported; empty if for ever
 */
public record Topic(
        String name,
        Set<String> tables,
        Duration rest,
        Reader reader,
        Function<Principal, Optional<Instant>> lasting) {
    public Topic {
        tables = Set.copyOf(tables);
    }

    /** Several changes become one. */
    private static final Duration SOON = Duration.ofMillis(150);

    public Topic(
            String name,
            Set<String> tables,
            Reader reader,
            Function<Principal, Optional<Instant>> lasting) {
        this(name, tables, SOON, reader, lasting);
    }

    /** A list that time alone does not change. */
    public Topic(String name, Set<String> tables, Reader reader) {
        this(name, tables, reader, _ -> Optional.empty());
    }

    /** Reads all rows as they are now. */
    @FunctionalInterface
    public interface Reader {
        List<? extends Keyed> read(Principal principal);
    }
}
