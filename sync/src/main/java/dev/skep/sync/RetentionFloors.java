package dev.skep.sync;

import dev.skep.kernel.row.SyncTable;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Per table the highest stamp below which a host has purged its own rows by age. So a row that it
 * lacks below was purged and is not lost. It travels with the host's row.
 */
public record RetentionFloors(Map<String, Long> byTable) {
    public static final RetentionFloors NONE = new RetentionFloors(Map.of());

    public RetentionFloors {
        byTable = Map.copyOf(byTable);
    }

    /** From a host's row; what is no floor is none. */
    public static RetentionFloors of(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return NONE;
        }
        Map<String, Long> read = new TreeMap<>();
        for (String each : text.split(" ", -1)) {
            int at = each.indexOf('=');
            if (at > 0) {
                try {
                    read.put(each.substring(0, at), Long.parseLong(each.substring(at + 1)));
                } catch (NumberFormatException e) {
                    // Not a number: this table has no floor.
                }
            }
        }
        return new RetentionFloors(read);
    }

    public long of(SyncTable table) {
        return byTable.getOrDefault(table.name(), 0L);
    }

    /** The same with a table's floor not below a stamp. */
    public RetentionFloors raised(SyncTable table, long stamp) {
        Map<String, Long> raised = new TreeMap<>(byTable);
        raised.merge(table.name(), stamp, Math::max);
        return new RetentionFloors(raised);
    }

    /** As it stands in a host's row. */
    public String text() {
        return new TreeMap<>(byTable)
                .entrySet().stream()
                        .map(floor -> floor.getKey() + "=" + floor.getValue())
                        .collect(Collectors.joining(" "));
    }
}
