package dev.skep.dispatch.event;

import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.OrgId;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The latest events of each org, so many and no more. Whoever comes back names the last id heard
 * and gets what followed, or one {@code reset} event when that is no longer known (also after the
 * hub restarted): then everything is to be read again. Thread-safe.
 */
public final class OrgEvents implements AutoCloseable {
    private static final int KEPT = 1_000;

    private final String process;
    private final ConcurrentMap<OrgId, Stream> streams = new ConcurrentHashMap<>();

    public OrgEvents(InstantSource clock) {
        this.process = Long.toString(clock.millis(), 36);
    }

    /** Hears everything that happens in this process; must be subscribed to its events. */
    public void hear(FleetEvent event) {
        Optional<Told> told = told(event);
        told.ifPresent(
                t ->
                        streams.computeIfAbsent(event.org(), org -> new Stream())
                                .add(event, t.type, t.data));
    }

    /** Everything after an id, and then whatever comes, until the subscription is closed. */
    public Subscription subscribe(OrgId org, Optional<String> after) {
        return streams.computeIfAbsent(org, o -> new Stream()).subscribe(after);
    }

    /** Ends all subscriptions; those who listen come back, to this hub or its successor. */
    @Override
    public void close() {
        streams.values().forEach(Stream::end);
    }

    private record Told(String type, Map<String, Object> data) {}

    private static Optional<Told> told(FleetEvent event) {
        return switch (event) {
            case FleetEvent.JobCreated e ->
                    of("job.created", Map.of("jobId", e.job(), "hostId", e.host().value()));
            case FleetEvent.JobRunStarted e ->
                    of(
                            "job_run.started",
                            Map.of(
                                    "jobId",
                                    e.job(),
                                    "jobRunId",
                                    e.run(),
                                    "hostId",
                                    e.host().value()));
            case FleetEvent.JobRunDone e ->
                    of(
                            "job_run.done",
                            Map.of(
                                    "jobId",
                                    e.job(),
                                    "jobRunId",
                                    e.run(),
                                    "hostId",
                                    e.host().value(),
                                    "status",
                                    e.status(),
                                    "jobOver",
                                    e.jobOver()));
            case FleetEvent.HostStatusChanged e ->
                    of("host." + e.status(), Map.of("hostId", e.host().value()));
            case FleetEvent.HostEnrolled e ->
                    of("host.enrolled", Map.of("hostId", e.host().value()));
            case FleetEvent.HostRevoked e -> of("host.revoked", Map.of("hostId", e.host().value()));
            case FleetEvent.RowsStored _ -> Optional.empty();
        };
    }

    private static Optional<Told> of(String type, Map<String, Object> data) {
        return Optional.of(new Told(type, data));
    }

    private final class Stream {
        private final Deque<OrgEvent> latest = new ArrayDeque<>();
        private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
        private long count;

        synchronized void add(FleetEvent event, String type, Map<String, Object> data) {
            count++;
            OrgEvent told = new OrgEvent(process + "-" + count, type, event.at(), data);
            latest.addLast(told);
            if (latest.size() > KEPT) {
                latest.removeFirst();
            }
            subscriptions.forEach(subscription -> subscription.offer(told));
        }

        synchronized Subscription subscribe(Optional<String> after) {
            List<OrgEvent> missed = new ArrayList<>();
            boolean known = true;
            if (after.isPresent()) {
                long from = numberOf(after.get());
                long oldest = count - latest.size();
                known = from >= oldest && from <= count;
                latest.stream().filter(e -> numberOf(e.id()) > from).forEach(missed::add);
            }
            Subscription subscription =
                    new Subscription(subscriptions::remove, known ? missed : List.of(), !known);
            subscriptions.add(subscription);
            return subscription;
        }

        synchronized void end() {
            subscriptions.forEach(Subscription::end);
        }

        private long numberOf(String id) {
            String prefix = process + "-";
            try {
                return id.startsWith(prefix) ? Long.parseLong(id.substring(prefix.length())) : -1;
            } catch (NumberFormatException e) {
                return -1;
            }
        }
    }
}
