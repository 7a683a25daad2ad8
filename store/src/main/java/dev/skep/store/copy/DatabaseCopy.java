package dev.skep.store.copy;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Copies a whole SQLite file into another database of the same schema, and checks every row. */
public final class DatabaseCopy {
    private static final int PIECE = 2_000;

    private final Database source;
    private final Database target;
    private final Progress progress;

    /** Receives the progress of the copy. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Called after each piece.
         *
         * @param step {@code copied} or {@code verified}
         */
        void at(String step, String table, long done, long of);
    }

    /** What was copied; {@code mended} rows were found to differ and were written again. */
    public record Summary(int tables, long rows, long mended) {}

    public DatabaseCopy(Database source, Database target, Progress progress) {
        this.source = source;
        this.target = target;
        this.progress = progress;
    }

    /** Copies what is not there yet, then compares all of it. */
    public Summary run() {
        refuseForeignTarget();
        List<CopiedTable> tables = source.read(CopiedTable::of);
        for (CopiedTable table : tables) {
            copy(table);
        }
        long rows = 0;
        long mended = 0;
        for (CopiedTable table : tables) {
            rows += source.read(table::count);
            mended += verify(table);
        }
        return new Summary(tables.size(), rows, mended);
    }

    /**
     * A database with another host's id belongs to that host and is not an unfinished copy of ours.
     */
    private void refuseForeignTarget() {
        Optional<String> theirs = target.read(DatabaseCopy::host);
        Optional<String> ours = source.read(DatabaseCopy::host);
        if (theirs.isPresent() && !theirs.equals(ours)) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "%s belongs to host %s; migrate into an empty database"
                            .formatted(target.name(), theirs.get()));
        }
    }

    private static Optional<String> host(Snapshot snapshot) {
        return snapshot.first("SELECT host_id FROM local_host", row -> row.text("host_id"));
    }

    private void copy(CopiedTable table) {
        long of = source.read(table::count);
        long done = target.read(table::count);
        // A few rows may be the schema's own; only a longer stretch is a copy that was interrupted.
        List<Object> last = done < PIECE ? List.of() : target.read(table::last);
        done = last.isEmpty() ? 0 : done;
        while (true) {
            List<Object> after = last;
            List<@Nullable Object[]> rows = source.read(db -> table.after(db, after, PIECE));
            if (rows.isEmpty()) {
                return;
            }
            target.write(tx -> tx.insertAll(table.insert(), rows));
            done += rows.size();
            last = table.keyOf(rows.getLast());
            progress.at("copied", table.name(), Math.min(done, of), of);
        }
    }

    private long verify(CopiedTable table) {
        long of = source.read(table::count);
        long done = 0;
        long mended = 0;
        List<Object> last = List.of();
        while (true) {
            List<Object> after = last;
            List<@Nullable Object[]> rows = source.read(db -> table.after(db, after, PIECE));
            if (rows.isEmpty()) {
                break;
            }
            List<@Nullable Object[]> different = different(table, rows);
            if (!different.isEmpty()) {
                target.write(tx -> tx.insertAll(table.insert(), different));
                mended += different.size();
                if (!different(table, different).isEmpty()) {
                    throw broken(table, "a row differs and cannot be repaired");
                }
            }
            done += rows.size();
            last = table.keyOf(rows.getLast());
            progress.at("verified", table.name(), done, of);
        }
        if (target.read(table::count) != of) {
            throw broken(table, "it has rows that the source has not");
        }
        return mended;
    }

    private List<@Nullable Object[]> different(CopiedTable table, List<@Nullable Object[]> rows) {
        Map<List<Object>, @Nullable Object[]> there = target.read(db -> table.same(db, rows));
        List<@Nullable Object[]> different = new ArrayList<>();
        for (@Nullable Object[] row : rows) {
            if (!Arrays.equals(row, there.get(table.keyOf(row)))) {
                different.add(row);
            }
        }
        return different;
    }

    private SkepException broken(CopiedTable table, String why) {
        return new SkepException(
                ErrorCode.CONFLICT,
                "%s in %s is not a copy: %s; migrate into an empty database"
                        .formatted(table.name(), target.name(), why));
    }
}
