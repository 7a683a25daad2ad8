package dev.skep.store.jdbc;

import dev.skep.store.Database;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reports which tables commits wrote, derived from their statements, so that no writer has to
 * remember to. Costs nothing without listeners. Thread-safe.
 */
public final class WrittenTables {
    /** For transactions that only read. */
    public static final WrittenTables IGNORED = new WrittenTables();

    private static final Pattern WRITE =
            Pattern.compile(
                    "\\b(?:insert\\s+into|update|delete\\s+from)\\s+([a-z_]+)",
                    Pattern.CASE_INSENSITIVE);

    /** {@code ON CONFLICT DO UPDATE SET} and {@code FOR UPDATE SKIP LOCKED} name no table. */
    private static final Set<String> WORDS = Set.of("set", "skip", "of", "nowait");

    /** More texts than the program has; those made at run time must not fill the memory. */
    private static final int REMEMBERED = 2_000;

    private static final Map<String, Set<String>> TABLES = new ConcurrentHashMap<>();

    private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();

    /** Calls the listener after each commit from now on. */
    public Database.Listening listen(Consumer<Set<String>> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    Writing begin() {
        return new Writing();
    }

    /** What one transaction writes. Used by one thread. */
    final class Writing {
        private final boolean wanted = !listeners.isEmpty();
        private Set<String> written = Set.of();

        void ran(String sql) {
            if (wanted) {
                add(tables(sql));
            }
        }

        void wrote(String table) {
            if (wanted) {
                add(Set.of(table));
            }
        }

        private void add(Set<String> tables) {
            if (!written.containsAll(tables)) {
                Set<String> more = new HashSet<>(written);
                more.addAll(tables);
                written = more;
            }
        }

        /** The action to run after the commit; empty if nothing was written. */
        Optional<Runnable> notification() {
            Set<String> tables = written;
            written = Set.of();
            return tables.isEmpty()
                    ? Optional.empty()
                    : Optional.of(() -> listeners.forEach(each -> each.accept(tables)));
        }
    }

    /** The tables that a statement writes. */
    static Set<String> tables(String sql) {
        Set<String> known = TABLES.get(sql);
        if (known != null) {
            return known;
        }
        Set<String> found = new HashSet<>();
        for (Matcher write = WRITE.matcher(sql); write.find(); ) {
            String name = write.group(1).toLowerCase(Locale.ROOT);
            if (!WORDS.contains(name)) {
                found.add(name);
            }
        }
        Set<String> tables = Set.copyOf(found);
        if (TABLES.size() < REMEMBERED) {
            TABLES.put(sql, tables);
        }
        return tables;
    }
}
