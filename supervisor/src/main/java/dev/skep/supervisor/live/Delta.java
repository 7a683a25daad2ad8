package dev.skep.supervisor.live;

import dev.skep.kernel.id.Keyed;
import dev.skep.transport.route.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What changed in a topic, encoded once for all its watchers.
 *
 * @param number its place on the board
 */
record Delta(long number, String topic, String json) {

    private record Change(String topic, List<Keyed> put, List<String> drop) {}

    /** What leads from one reading to the next; empty if nothing does. */
    static Optional<String> between(
            String topic, Map<String, Keyed> before, Map<String, Keyed> after) {
        List<Keyed> put = new ArrayList<>();
        after.forEach(
                (id, row) -> {
                    if (!row.equals(before.get(id))) {
                        put.add(row);
                    }
                });
        List<String> drop = before.keySet().stream().filter(id -> !after.containsKey(id)).toList();
        return put.isEmpty() && drop.isEmpty()
                ? Optional.empty()
                : Optional.of(Json.text(new Change(topic, put, drop)));
    }

    static Map<String, Keyed> byId(List<? extends Keyed> rows) {
        Map<String, Keyed> byId = LinkedHashMap.newLinkedHashMap(rows.size());
        rows.forEach(row -> byId.put(row.id(), row));
        return byId;
    }
}
