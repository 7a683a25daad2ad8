package dev.skep.dispatch.routes;

import dev.skep.dispatch.host.HostConsents;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.job.JobKind;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Brings sealed secrets to hosts as jobs, and has hosts forget them. */
final class SecretDelivery {
    private final JobQueue queue;
    private final HostConsents consents;

    SecretDelivery(JobQueue queue, HostConsents consents) {
        this.queue = queue;
        this.consents = consents;
    }

    /**
     * Brings each host its seal.
     *
     * @return the jobs that do so, by host
     */
    Map<String, CreatedJob> bring(
            Request request, String name, long version, Map<String, String> sealed) {
        return send(request, JobKind.SECRET_SET, name, version, sealed);
    }

    /** Hosts that no longer allow it use it no longer, and are not asked. */
    void takeBack(Request request, String name, long version, List<HostId> hosts) {
        Map<String, List<String>> allows = consents.of(request.principal());
        String needed = Consent.AGENTS.label();
        Map<String, String> asked =
                hosts.stream()
                        .map(HostId::value)
                        .filter(host -> allows.getOrDefault(host, List.of(needed)).contains(needed))
                        .collect(Collectors.toMap(host -> host, _ -> ""));
        if (!asked.isEmpty()) {
            send(request, JobKind.SECRET_REMOVE, name, version, asked);
        }
    }

    /** The key makes one job of a request that is repeated. */
    private Map<String, CreatedJob> send(
            Request request, JobKind kind, String name, long version, Map<String, String> sealed) {
        List<String> hosts = List.copyOf(new TreeSet<>(sealed.keySet()));
        List<NewJob> jobs =
                hosts.stream()
                        .map(
                                host ->
                                        NewJob.plain(
                                                        new HostId(host),
                                                        kind.type(),
                                                        payload(name, version, sealed.get(host)))
                                                .withKey(
                                                        "%s:%s:%d:%s"
                                                                .formatted(
                                                                        kind.type(),
                                                                        name,
                                                                        version,
                                                                        host)))
                        .toList();
        List<CreatedJob> created = queue.create(request.actor(), jobs);
        Map<String, CreatedJob> byHost = new TreeMap<>();
        for (int i = 0; i < hosts.size(); i++) {
            byHost.put(hosts.get(i), created.get(i));
        }
        return byHost;
    }

    private static String payload(String name, long version, @Nullable String sealed) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("name", name);
        payload.put("version", version);
        if (sealed != null && !sealed.isEmpty()) {
            payload.put("sealed", sealed);
        }
        return Json.text(payload);
    }
}
