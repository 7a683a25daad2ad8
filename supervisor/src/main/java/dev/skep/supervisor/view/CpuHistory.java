package dev.skep.supervisor.view;

import dev.skep.supervisor.source.HostHealth;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The last processor loads of each host: from its source, or one for each heartbeat that was seen
 * here. Thread-safe.
 */
final class CpuHistory {
    private static final int KEPT = 24;

    private final Map<String, Line> byHost = new ConcurrentHashMap<>();

    private static final class Line {
        private final ArrayDeque<Integer> values = new ArrayDeque<>();
        private @Nullable Instant last;

        synchronized List<Integer> with(Instant at, int value) {
            if (!at.equals(last)) {
                last = at;
                values.addLast(value);
                if (values.size() > KEPT) {
                    values.removeFirst();
                }
            }
            return List.copyOf(values);
        }
    }

    List<Integer> with(HostHealth health) {
        if (!health.cpuHistory().isEmpty()) {
            return health.cpuHistory();
        }
        if (health.cpu() == null || health.lastHeartbeatAt() == null) {
            return List.of();
        }
        return byHost.computeIfAbsent(health.host(), host -> new Line())
                .with(health.lastHeartbeatAt(), health.cpu());
    }
}
