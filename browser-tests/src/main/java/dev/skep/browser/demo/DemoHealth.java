package dev.skep.browser.demo;

import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.HostHealth;
import dev.skep.supervisor.source.HostHealthSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** How the hosts are: processor loads that wander, and what tests say. Thread-safe. */
public final class DemoHealth implements HostHealthSource {
    /** How long those that are offline have been. */
    static final Duration AWAY = Duration.ofMinutes(17);

    private final InstantSource clock;
    private final Random random = new Random(11);
    private final Map<String, HostHealth> byHost = new ConcurrentHashMap<>();
    private final List<String> order = new ArrayList<>();

    DemoHealth(List<DemoHost> hosts, InstantSource clock) {
        this.clock = clock;
        Instant now = clock.instant();
        for (DemoHost host : hosts) {
            Instant seen = host.isThere() ? now.minusSeconds(random.nextInt(9)) : now.minus(AWAY);
            order.add(host.id());
            List<Integer> loads = loads(random.nextInt(60) + 5);
            byHost.put(
                    host.id(),
                    new HostHealth(
                            host.id(),
                            host.status(),
                            host.status().equals("degraded") ? "memory above 90 %" : null,
                            seen,
                            random.nextInt(8) == 0 ? "0.0.9" : "0.1.0",
                            loads.getLast(),
                            loads,
                            host.status().equals("degraded") ? 93 : 20 + random.nextInt(60),
                            15 + random.nextInt(75),
                            host.labels(),
                            null,
                            1 + random.nextInt(4),
                            random.nextInt(3) == 0 ? 30 : null,
                            allowed(host, hosts)));
        }
    }

    /** The second host lets nobody else change its agents' files. */
    private static List<String> allowed(DemoHost host, List<DemoHost> hosts) {
        return hosts.indexOf(host) == 1
                ? List.of("steer", "jobs")
                : List.of("steer", "agents", "jobs");
    }

    private List<Integer> loads(int around) {
        List<Integer> loads = new ArrayList<>();
        int at = around;
        for (int i = 0; i < 24; i++) {
            at = Math.clamp(at + random.nextInt(15) - 7L, 2, 99);
            loads.add(at);
        }
        return loads;
    }

    private static List<Integer> grown(List<Integer> before, int load) {
        List<Integer> after = new ArrayList<>(before.subList(1, before.size()));
        after.add(load);
        return after;
    }

    @Override
    public List<HostHealth> of(Principal principal) {
        return List.copyOf(byHost.values());
    }

    /** Some hosts beat: their loads change and they were just seen. */
    public synchronized void beat(int hosts) {
        for (int i = 0; i < hosts; i++) {
            String host = order.get(random.nextInt(order.size()));
            HostHealth h = byHost.get(host);
            if (h != null && !h.status().equals("offline")) {
                int cpu = h.cpu() == null ? 20 : h.cpu();
                int next = Math.clamp(cpu + random.nextInt(25) - 12L, 2, 99);
                byHost.put(host, changed(h, h.status(), next, clock.instant()));
            }
        }
    }

    /** A host goes away or comes back. */
    public synchronized void set(String host, String status) {
        byHost.computeIfPresent(
                host,
                (id, h) -> {
                    Instant before =
                            h.lastHeartbeatAt() == null ? clock.instant() : h.lastHeartbeatAt();
                    Instant seen = status.equals("offline") ? before : clock.instant();
                    return changed(h, status, h.cpu() == null ? 20 : h.cpu(), seen);
                });
    }

    /** Operators call a host something else. */
    public synchronized void rename(String host, String name) {
        byHost.computeIfPresent(
                host,
                (id, h) ->
                        new HostHealth(
                                id,
                                h.status(),
                                h.reason(),
                                h.lastHeartbeatAt(),
                                h.version(),
                                h.cpu(),
                                h.cpuHistory(),
                                h.memory(),
                                h.disk(),
                                h.labels(),
                                name,
                                h.maxConcurrent(),
                                h.jobsPerMinute(),
                                h.allows()));
    }

    private static HostHealth changed(HostHealth h, String status, int cpu, Instant seen) {
        return new HostHealth(
                h.host(),
                status,
                h.reason(),
                seen,
                h.version(),
                cpu,
                grown(h.cpuHistory(), cpu),
                h.memory(),
                h.disk(),
                h.labels(),
                h.displayName(),
                h.maxConcurrent(),
                h.jobsPerMinute(),
                h.allows());
    }
}
