package dev.skep.simulation;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.simulation.MemoryState.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stores rows of others in memory as the statements of a replica do: only what is newer. */
final class MemoryUpsert {
    /** Numbers handed out and not yet used, when commit order is not kept. */
    private static final int HANDED_OUT = 3;

    private final MemoryWriting writing;

    MemoryUpsert(MemoryWriting writing) {
        this.writing = writing;
    }

    int apply(OrgId org, List<TableRows> rows) {
        int stored = 0;
        for (TableRows part : rows) {
            boolean fed = writing.db.forwards && part.table().isForwarded();
            for (SyncRow row : part.rows()) {
                if (!writing.world.has(Rule.KEPT_AT_ARRIVAL)
                        && writing.db.isOfLongAgo(part.table(), row)) {
                    continue;
                }
                long stamp = fed ? feedStamp() : 0;
                refuseIncomplete(part.table(), row);
                String key = MemoryState.key(part.table(), row);
                Entry known = writing.state.table(part.table().name()).get(key);
                Entry entry = new Entry(part.table(), key, org.value(), row, stamp);
                if (isNewer(entry, known) && !isNameTaken(entry)) {
                    refuseRegress(known, row);
                    writing.set(known == null ? entry : keepBirth(entry, known));
                    stored++;
                }
            }
        }
        return stored;
    }

    /** What every update keeps of the row before it. */
    private static Entry keepBirth(Entry entry, Entry known) {
        return entry.row().extra() != null || known.row().extra() == null
                ? entry
                : new Entry(
                        entry.table(),
                        entry.key(),
                        entry.org(),
                        new SyncRow(
                                entry.row().hostId(),
                                entry.row().gen(),
                                entry.row().ver(),
                                entry.row().values(),
                                known.row().extra()),
                        entry.feed());
    }

    private long feedStamp() {
        if (writing.world.has(Rule.COMMIT_ORDER)) {
            return writing.take(1);
        }
        // As if each number were taken before its transaction, and the transaction came later.
        if (writing.world.coin()) {
            for (long early = writing.state.pos - HANDED_OUT; early < writing.state.pos; early++) {
                if (!writing.state.feed.containsKey(early) && Position.n(early) > 0) {
                    return early;
                }
            }
        }
        writing.take(HANDED_OUT);
        return writing.take(1);
    }

    private boolean isNewer(Entry entry, @Nullable Entry known) {
        if (known == null) {
            return true;
        }
        SyncRow a = entry.row();
        SyncRow b = known.row();
        if (writing.world.has(Rule.ORG_SCOPE) && !entry.org().equals(known.org())) {
            return false;
        }
        if (!writing.world.has(Rule.NEWER_ONLY)) {
            return a.hostId().equals(b.hostId());
        }
        if (!writing.world.has(Rule.GENERATION)) {
            return a.ver() > b.ver();
        }
        if (a.gen() != b.gen()) {
            return a.gen() > b.gen();
        }
        boolean owner = a.hostId().equals(b.hostId()) || !writing.world.has(Rule.OWNER_CHECK);
        return owner && a.ver() > b.ver();
    }

    private void refuseRegress(@Nullable Entry known, SyncRow row) {
        if (known != null
                && known.row().hostId().equals(row.hostId())
                && known.row().gen() == row.gen()
                && known.row().ver() > row.ver()) {
            throw new Violation("an older row replaced a newer one: " + known.key());
        }
    }

    private static void refuseIncomplete(SyncTable table, SyncRow row) {
        for (int i = 0; i < table.columns().size(); i++) {
            if (row.value(i) == null && table.columns().get(i).required()) {
                throw new SkepException(
                        ErrorCode.CONFLICT,
                        "%s.%s is null".formatted(table.name(), table.columns().get(i).name()));
            }
        }
    }

    private boolean isNameTaken(Entry entry) {
        return !writing.world.has(Rule.NAMES_DO_NOT_REJECT)
                && writing.db.forwards
                && writing.names.isTaken(entry);
    }
}
