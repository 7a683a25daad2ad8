package dev.skep.directory.host;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import java.util.Optional;

/**
 * What people call a host, the same on pages, in commands and in the API: the name an operator gave
 * it at this hub, or its own. Of two that chose the same name, the one that came second has the end
 * of its id behind it.
 */
public final class HostNames {
    private static final int END = 4;

    private HostNames() {}

    /** A host's own name, distinguished from another host of that name. */
    public static String own(String name, boolean taken, String id) {
        return taken ? name + "~" + id.substring(Math.max(0, id.length() - END)) : name;
    }

    /**
     * The name as an expression of SQL, for lists that show it; null if the host is unknown.
     *
     * @param host the column with the host's id
     * @param org the column with its org
     */
    public static String sql(String host, String org) {
        return """
        (SELECT coalesce(named_health.display_name, CASE WHEN named.name_conflict <> 0
                THEN named.name || '~' || substr(named.id, length(named.id) - %d)
                ELSE named.name END)
            FROM hosts named LEFT JOIN host_health named_health
                ON named_health.host_id = named.id AND named_health.org_id = named.org_id
            WHERE named.id = %s AND named.org_id = %s)"""
                .formatted(END - 1, host, org);
    }

    /** The name of one host. */
    public static Optional<String> of(Snapshot snapshot, OrgId org, HostId host) {
        return snapshot.first(
                        "SELECT %s AS name".formatted(sql("?", "?")),
                        row -> Optional.ofNullable(row.textOrNull("name")),
                        host.value(),
                        org.value())
                .flatMap(name -> name);
    }
}
