package dev.skep.benchmark.store;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hosts and agents of a large fleet. */
final class Population {
    private static final String TIME = "2027-01-01T00:00:00.000000Z";

    private Population() {}

    static List<@Nullable Object[]> hosts(int count) {
        List<@Nullable Object[]> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rows.add(
                    HostTable.HOSTS.values(
                            "id, name, kind, name_conflict, created_at, updated_at",
                            "01BENCHHOST%015d".formatted(i),
                            "host-" + i,
                            "runner",
                            0L,
                            TIME,
                            TIME));
        }
        return rows;
    }

    static List<@Nullable Object[]> agents(int count) {
        List<@Nullable Object[]> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rows.add(
                    AgentTables.USERS.values(
                            "id, username, title, kind, config, name_conflict, created_at, updated_at",
                            "01BENCHUSER%015d".formatted(i),
                            "agent-" + i,
                            "Agent",
                            "agent",
                            "{}",
                            0L,
                            TIME,
                            TIME));
        }
        return rows;
    }
}
