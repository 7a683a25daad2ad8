package dev.skep.store.migration;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings a database's schema up to date, all or nothing and under a lock. A database that is newer
 * than the program, or whose steps differ from the program's, is refused untouched.
 */
public final class Migrations {
    /** Any constant of ours: who else locks it in the same database is another skep. */
    private static final long ADVISORY_LOCK = 0x736b6570;

    private static final Migrations SHIPPED = new Migrations(inOrderOf("index"));

    private final List<Migration> steps;

    Migrations(List<Migration> steps) {
        this.steps = List.copyOf(steps);
    }

    /** The steps this program was built with. */
    public static Migrations shipped() {
        return SHIPPED;
    }

    private static List<Migration> inOrderOf(String index) {
        return text(index)
                .lines()
                .filter(line -> !line.isBlank())
                .map(
                        file ->
                                new Migration(
                                        Integer.parseInt(file.substring(0, 4)),
                                        file.substring(5).replace(".sql", ""),
                                        text(file)))
                .toList();
    }

    private static String text(String file) {
        try (InputStream in = Migrations.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("missing migration " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The version this program's schema has. */
    public int latest() {
        return steps.getLast().version();
    }

    public int count() {
        return steps.size();
    }

    /** Applies the steps the database does not have yet. */
    public void apply(Database database, InstantSource clock) {
        if (pending(database.read(s -> applied(database, s)), database.name()).isEmpty()) {
            return;
        }
        database.write(transaction -> applyIn(transaction, database, clock));
    }

    /** The same as part of a larger change; returns how many steps it took. */
    public int applyIn(Transaction transaction, Database database, InstantSource clock) {
        lock(transaction);
        // Read now that no other process can be migrating.
        Map<Integer, String> applied = applied(database, transaction);
        if (applied.isEmpty()) {
            createVersionTable(transaction);
        }
        List<Migration> pending = pending(applied, database.name());
        for (Migration step : pending) {
            step.statements().forEach(transaction::update);
            transaction.update(
                    "INSERT INTO schema_version (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
                    step.version(),
                    step.name(),
                    step.checksum(),
                    clock.instant());
        }
        return pending.size();
    }

    /** The steps a database has, each with its checksum. */
    public Map<Integer, String> stepsOf(Database database, Snapshot snapshot) {
        return applied(database, snapshot);
    }

    /**
     * Only the given steps; one that this program does not know, or knows otherwise, is refused.
     *
     * @param name whose steps they are, for people
     */
    public Migrations having(Map<Integer, String> given, String name) {
        given.forEach((version, checksum) -> refuseUnknown(version, checksum, name));
        return new Migrations(
                steps.stream().filter(step -> given.containsKey(step.version())).toList());
    }

    /** The version a database's schema has, if this program knows all of it. */
    public int version(Database database, Snapshot snapshot) {
        Map<Integer, String> applied = applied(database, snapshot);
        applied.forEach((version, checksum) -> refuseUnknown(version, checksum, database.name()));
        return applied.keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /** Refuses a database this program cannot read as it is. */
    public void check(Database database) {
        if (!pending(database.read(s -> applied(database, s)), database.name()).isEmpty()) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "%s has an older schema; start its own skep process once with this version"
                            .formatted(database.name()));
        }
    }

    private List<Migration> pending(Map<Integer, String> applied, String name) {
        applied.forEach((version, checksum) -> refuseUnknown(version, checksum, name));
        return steps.stream().filter(step -> !applied.containsKey(step.version())).toList();
    }

    private void refuseUnknown(int version, String checksum, String name) {
        Migration step =
                steps.stream().filter(s -> s.version() == version).findFirst().orElse(null);
        if (step == null) {
            throw new SkepException(
                    ErrorCode.DATABASE_NEWER,
                    "%s has schema version %d, this skep knows %d; update skep, or restore an older backup"
                            .formatted(name, version, latest()));
        }
        if (!step.checksum().equals(checksum)) {
            throw new SkepException(
                    ErrorCode.MIGRATION_EDITED,
                    "%s was made with a different migration %04d_%s; use the skep version that made it"
                            .formatted(name, version, step.name()));
        }
    }

    private static Map<Integer, String> applied(Database database, Snapshot snapshot) {
        Map<Integer, String> applied = new TreeMap<>();
        if (!hasVersionTable(snapshot)) {
            refuseForeign(database, snapshot);
            return applied;
        }
        snapshot.list(
                "SELECT version, checksum FROM schema_version",
                row -> applied.put((int) row.number("version"), row.text("checksum")) == null);
        return applied;
    }

    private static boolean hasVersionTable(Snapshot snapshot) {
        String sql =
                switch (snapshot.dialect()) {
                    case SQLITE ->
                            "SELECT count(*) FROM sqlite_master WHERE name = 'schema_version'";
                    case POSTGRES ->
                            "SELECT count(*) FROM pg_class WHERE oid = to_regclass('schema_version')";
                };
        return snapshot.first(sql, row -> row.number(1)).orElse(0L) > 0;
    }

    /** A SQLite file with tables but without ours belongs to another program. */
    private static void refuseForeign(Database database, Snapshot snapshot) {
        if (snapshot.dialect() == SqlDialect.SQLITE
                && snapshot.first("SELECT name FROM sqlite_master", row -> true).isPresent()) {
            throw new SkepException(
                    ErrorCode.NOT_A_DATABASE,
                    "%s is another program's database; point DATABASE_URL at a new file"
                            .formatted(database.name()));
        }
    }

    private static void createVersionTable(Transaction transaction) {
        transaction.update(
                """
                CREATE TABLE schema_version (
                    version INTEGER PRIMARY KEY,
                    name TEXT NOT NULL,
                    checksum TEXT NOT NULL,
                    applied_at TEXT NOT NULL)
                """);
    }

    /** SQLite's write transaction is the lock already. */
    private static void lock(Transaction transaction) {
        if (transaction.dialect() == SqlDialect.POSTGRES) {
            transaction.first("SELECT pg_advisory_xact_lock(?)", row -> true, ADVISORY_LOCK);
        }
    }
}
