package dev.skep.sync.runner;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.feed.ReplicaWriter;
import dev.skep.sync.QuarantinedRow;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore.Writing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rows that a hub forwards for agents that are not their host's, as far as this runner knows. They
 * are quarantined, whatever the hub decided. Rows of different owners arrive in any order: an agent
 * may become known later, and then the hub is asked again.
 */
final class ForeignAgentRows {
    private final OrgId org;
    private final SyncSchema schema;

    ForeignAgentRows(OrgId org, SyncSchema schema) {
        this.org = org;
        this.schema = schema;
    }

    /** Rows written for agents are checked against the agents of the same page first. */
    List<TableRows> agentsFirst(List<TableRows> tables) {
        return tables.stream()
                .sorted(Comparator.comparing(part -> !part.table().equals(schema.agents())))
                .toList();
    }

    /** Remembers the hosts of agents from rows stored now. */
    void note(Writing tx, TableRows part) {
        SyncTable table = part.table();
        if (!table.equals(schema.agents()) || part.rows().isEmpty()) {
            return;
        }
        Map<List<Object>, ReplicaWriter.Owner> owners = tx.owners(table, part.rows());
        tx.noteHosts(
                org,
                part.rows().stream()
                        .filter(
                                row -> {
                                    ReplicaWriter.Owner owner = owners.get(table.keyOf(row));
                                    return owner != null
                                            && owner.org().equals(org)
                                            && owner.host().value().equals(row.hostId());
                                })
                        .toList());
    }

    /** The rows without those for agents of others, which are added to {@code aside}. */
    TableRows without(
            Writing tx,
            String hub,
            long from,
            TableRows part,
            List<QuarantinedRow> quarantinedRow) {
        SyncTable table = part.table();
        Map<String, Set<String>> named = new HashMap<>();
        for (SyncRow row : part.rows()) {
            table.authorOf(row)
                    .ifPresent(
                            agent ->
                                    named.computeIfAbsent(row.hostId(), _ -> new HashSet<>())
                                            .add(agent));
        }
        Map<String, Set<String>> unknown = new HashMap<>();
        named.forEach(
                (host, agents) -> {
                    Set<String> others = new HashSet<>(agents);
                    others.removeAll(tx.agentsOf(org, new HostId(host), agents));
                    if (!others.isEmpty()) {
                        unknown.put(host, others);
                        tx.awaitForwards(hub, from, org, new HostId(host), others);
                    }
                });
        if (unknown.isEmpty()) {
            return part;
        }
        List<SyncRow> kept = new ArrayList<>();
        for (SyncRow row : part.rows()) {
            Set<String> others = unknown.getOrDefault(row.hostId(), Set.of());
            if (table.authorOf(row).filter(others::contains).isPresent()) {
                quarantinedRow.add(
                        QuarantinedRow.of(table, row, QuarantinedRow.Reason.AGENT_NOT_OF_HOST));
            } else {
                kept.add(row);
            }
        }
        return new TableRows(table, kept);
    }
}
