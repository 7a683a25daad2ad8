package dev.skep.fleet.nemesis;

import dev.skep.fleet.nemesis.DatabaseRows.Row;
import dev.skep.kernel.row.SyncTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/** Whether every machine has every row as its owner has it. */
final class ReplicaComparison {
    private static final int SHOWN = 3;

    private final Map<NemesisProcess, DatabaseRows> databases;
    private final List<String> findings = new ArrayList<>();

    private ReplicaComparison(Map<NemesisProcess, DatabaseRows> databases) {
        this.databases = databases;
    }

    static List<String> findings(Map<NemesisProcess, DatabaseRows> databases) {
        ReplicaComparison comparison = new ReplicaComparison(databases);
        for (SyncTable table : DatabaseRows.TABLES) {
            databases.forEach((owner, rows) -> comparison.compare(table, owner, rows));
            comparison.findStrangers(table);
        }
        return comparison.findings;
    }

    /** A hub's own rows go to the runners, not to other hubs, which are no hosts of it. */
    static boolean reaches(boolean forwarded, NemesisProcess owner, NemesisProcess other) {
        if (owner == other) {
            return true;
        }
        return forwarded ? !owner.isHub || !other.isHub : !owner.isHub && other.isHub;
    }

    private void compare(SyncTable table, NemesisProcess owner, DatabaseRows own) {
        Map<String, Row> truth = ownedBy(own.host(), own.table(table.name()));
        databases.forEach(
                (other, rows) -> {
                    if (other != owner && reaches(table.isForwarded(), owner, other)) {
                        Map<String, Row> copy = ownedBy(own.host(), rows.table(table.name()));
                        compare(
                                "%s of %s on %s".formatted(table.name(), owner.name, other.name),
                                truth,
                                copy);
                    }
                });
    }

    private void compare(String where, Map<String, Row> truth, Map<String, Row> copy) {
        List<String> missing = new ArrayList<>();
        List<String> differing = new ArrayList<>();
        truth.forEach(
                (key, row) -> {
                    Row there = copy.get(key);
                    if (there == null) {
                        missing.add(key);
                    } else if (!there.equals(row)) {
                        differing.add(key + " " + difference(row, there));
                    }
                });
        List<String> excess = copy.keySet().stream().filter(k -> !truth.containsKey(k)).toList();
        report(where, "missing", missing);
        report(where, "different", differing);
        report(where, "unknown to their owner", excess);
    }

    private static String difference(Row truth, Row copy) {
        List<String> parts = new ArrayList<>();
        for (String column : new TreeSet<>(truth.values().keySet())) {
            if (!Objects.equals(truth.value(column), copy.value(column))) {
                parts.add(
                        "%s: %s, there %s"
                                .formatted(column, truth.value(column), copy.value(column)));
            }
        }
        return parts.toString();
    }

    private void findStrangers(SyncTable table) {
        List<String> hosts = databases.values().stream().map(DatabaseRows::host).toList();
        databases.forEach(
                (nemesisProcess, rows) -> {
                    List<String> strangers =
                            rows.table(table.name()).entrySet().stream()
                                    .filter(each -> !hosts.contains(each.getValue().owner()))
                                    .map(Map.Entry::getKey)
                                    .toList();
                    report(
                            table.name() + " on " + nemesisProcess.name,
                            "of an unknown owner",
                            strangers);
                });
    }

    private static Map<String, Row> ownedBy(String host, Map<String, Row> rows) {
        Map<String, Row> owned = new TreeMap<>();
        rows.forEach(
                (key, row) -> {
                    if (row.owner().equals(host)) {
                        owned.put(key, row);
                    }
                });
        return owned;
    }

    private void report(String where, String what, List<String> keys) {
        if (!keys.isEmpty()) {
            findings.add(
                    "%s: %d %s, such as %s"
                            .formatted(
                                    where,
                                    keys.size(),
                                    what,
                                    keys.subList(0, Math.min(SHOWN, keys.size()))));
        }
    }
}
