package dev.skep.sync;

import dev.skep.directory.HostTable;
import dev.skep.kernel.id.Ids;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.feed.SyncTables;
import java.time.DateTimeException;
import java.util.List;
import java.util.Optional;

/**
 * The synced tables of a program, and the little that sync knows about a few of them.
 *
 * @param protocol the newest it speaks; a link opens if the ranges of its two ends overlap
 */
public record SyncSchema(SyncTables tables, int version, int protocol, List<NamedTable> named) {
    public static final int PROTOCOL_MIN = 1;

    /** From this version on a host tells asking ahead from what is stored. */
    public static final int PROTOCOL_AHEAD = 2;

    public static final int PROTOCOL_MAX = PROTOCOL_AHEAD;

    private static final int HEALED_EPOCH = HostTable.HOSTS.indexOf("healed_epoch");
    private static final String AGENTS = "users";

    /** The agents' table; its rows are what a takeover moves. */
    public static SyncSchema of(SyncTables tables, int version) {
        return new SyncSchema(
                tables,
                version,
                PROTOCOL_MAX,
                List.of(
                        new NamedTable(tables.named(AGENTS).orElseThrow(), "Username", "username"),
                        new NamedTable(HostTable.HOSTS, "Host name", "name")));
    }

    public SyncTable agents() {
        return tables.named(AGENTS).orElseThrow();
    }

    public Optional<NamedTable> named(String table) {
        return named.stream().filter(n -> n.table().name().equals(table)).findFirst();
    }

    /** Tables whose rows a takeover moves, at once or with their next write. */
    public List<SyncTable> movable() {
        return tables.all().stream()
                .filter(SyncTable::isForwarded)
                .filter(table -> table.key().contains(agentColumn(table)))
                .toList();
    }

    public static String agentColumn(SyncTable table) {
        return table.name().equals(AGENTS) ? "id" : "user_id";
    }

    /** The agent a row is about, if its table's rows are about one. */
    public static Optional<String> agentOf(SyncTable table, SyncRow row) {
        int at = table.indexOf(agentColumn(table));
        return at < 0 ? Optional.empty() : Optional.of(row.text(at));
    }

    /** The epoch a host's own row says it was healed in, or 0. */
    public static long healedEpoch(SyncTable table, SyncRow row) {
        return table.name().equals(HostTable.HOSTS.name())
                        && row.value(HEALED_EPOCH) instanceof Long epoch
                ? epoch
                : 0;
    }

    /** Where to see when a row was born: in the id of its message, in its own, or in words. */
    public static String birthColumn(SyncTable table) {
        if (table.indexOf("message_id") >= 0) {
            return "message_id";
        }
        return table.indexOf("id") >= 0 ? "id" : "created_at";
    }

    /** When a row was born, in milliseconds by its owner's clock. */
    public static long bornAt(SyncTable table, SyncRow row) {
        String born = row.text(table.indexOf(birthColumn(table)));
        try {
            return Ids.isUlid(born)
                    ? Ids.bornAt(born).toEpochMilli()
                    : Timestamps.parse(born).toEpochMilli();
        } catch (DateTimeException noTime) {
            return Long.MAX_VALUE;
        }
    }
}
