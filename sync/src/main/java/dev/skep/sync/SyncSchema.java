package dev.skep.sync;

import dev.skep.directory.HostTable;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.Ids;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.feed.SyncTables;
import dev.skep.store.migration.Migrations;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The synced tables of a program, and the little that sync knows about a few of them.
 *
 * @param protocol the newest it speaks; a link opens if the ranges of its two ends overlap
 */
public record SyncSchema(SyncTables tables, int version, int protocol, List<NamedTable> named) {
    public static final int PROTOCOL_MIN = 1;

    /**
     * From this version on a host distinguishes requests ahead of confirmation from stored
     * positions.
     */
    public static final int PROTOCOL_AHEAD = 2;

    public static final int PROTOCOL_MAX = PROTOCOL_AHEAD;

    private static final int HEALED_EPOCH = HostTable.HOSTS.indexOf("healed_epoch");
    private static final int FLOORS = HostTable.HOSTS.indexOf("floors");
    private static final String AGENTS = "users";

    /** What an agent is doing and continues with when it starts again. */
    private static final Set<String> COURSE =
            Set.of("user_notifications", "run_session", "context_log");

    private static final String FORMER_HOSTS = "former_hosts";

    /** Of the schema this program was built with. */
    public static SyncSchema of(SyncTables tables) {
        return of(tables, Migrations.shipped().latest());
    }

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

    /** Whether its rows decide what an agent does next: their writer steers it. */
    public static boolean isCourse(SyncTable table) {
        return COURSE.contains(table.name());
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

    /** Whether a row introduces a host other than the one that sends it. */
    public static boolean introducesAnother(SyncTable table, SyncRow row) {
        return table.name().equals(HostTable.HOSTS.name())
                && !row.text(table.indexOf("id")).equals(row.hostId());
    }

    /** The hosts an agent's row names: its owner, and those that owned it before. */
    public Set<HostId> hostsOf(SyncRow agent) {
        Set<HostId> hosts = new LinkedHashSet<>(Set.of(new HostId(agent.hostId())));
        int at = agents().indexOf(FORMER_HOSTS);
        if (at >= 0 && agent.value(at) instanceof String former) {
            for (String host : former.split(" ", -1)) {
                if (Ids.isOurUlid(host)) {
                    hosts.add(new HostId(host));
                }
            }
        }
        return hosts;
    }

    /** The former owners in an agent's row once another host has taken it over. */
    public static String formerHosts(@Nullable String before, String owner) {
        if (before == null) {
            return owner;
        }
        return Arrays.asList(before.split(" ", -1)).contains(owner) ? before : before + " " + owner;
    }

    /** The epoch in which a host was healed according to its own row, or 0. */
    public static long healedEpoch(SyncTable table, SyncRow row) {
        return table.name().equals(HostTable.HOSTS.name())
                        && row.value(HEALED_EPOCH) instanceof Long epoch
                ? epoch
                : 0;
    }

    /** A host's row with its retention floors; any other row unchanged. */
    public static SyncRow withFloors(SyncTable table, SyncRow row, RetentionFloors floors) {
        if (!table.name().equals(HostTable.HOSTS.name())) {
            return row;
        }
        @Nullable Object[] values = row.values().clone();
        values[FLOORS] = floors.byTable().isEmpty() ? null : floors.text();
        return new SyncRow(row.hostId(), row.gen(), row.ver(), values, row.extra());
    }

    /** The retention floors in a host's row. */
    public static RetentionFloors floors(SyncRow host) {
        return RetentionFloors.of(host.value(FLOORS) instanceof String text ? text : null);
    }
}
