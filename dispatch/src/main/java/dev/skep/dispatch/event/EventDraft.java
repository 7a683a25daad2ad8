package dev.skep.dispatch.event;

import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.OrgId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An event as it is published outside this process, before it has an id.
 *
 * @param words ids, and words of ours; as the kind's fields
 */
record EventDraft(OrgId org, EventKind kind, Instant at, List<String> words) {
    private static final String BETWEEN = "\t";

    /** Nothing for stored rows: their readers are notified per table. */
    static Optional<EventDraft> of(FleetEvent event) {
        return switch (event) {
            case FleetEvent.JobCreated e -> of(e, EventKind.JOB_CREATED, e.job(), e.host().value());
            case FleetEvent.JobRunStarted e ->
                    of(e, EventKind.JOB_RUN_STARTED, e.job(), e.run(), e.host().value());
            case FleetEvent.JobRunDone e ->
                    of(
                            e,
                            EventKind.JOB_RUN_DONE,
                            e.job(),
                            e.run(),
                            e.host().value(),
                            e.status(),
                            String.valueOf(e.jobOver()));
            case FleetEvent.HostStatusChanged e ->
                    EventKind.of("host." + e.status())
                            .flatMap(kind -> of(e, kind, e.host().value()));
            case FleetEvent.HostEnrolled e -> of(e, EventKind.HOST_ENROLLED, e.host().value());
            case FleetEvent.HostRevoked e -> of(e, EventKind.HOST_REVOKED, e.host().value());
            case FleetEvent.RowsReceived _ -> Optional.empty();
        };
    }

    private static Optional<EventDraft> of(FleetEvent event, EventKind kind, String... words) {
        return Optional.of(new EventDraft(event.org(), kind, event.at(), List.of(words)));
    }

    /** One of a row's lines; a job makes three of them, so they are short. */
    static EventDraft read(OrgId org, EventKind kind, Instant at, String line) {
        return new EventDraft(org, kind, at, List.of(line.split(BETWEEN, -1)));
    }

    String line() {
        return String.join(BETWEEN, words);
    }

    /** Whether both fit in one row. */
    boolean isLike(EventDraft other) {
        return kind == other.kind && org.equals(other.org) && at.equals(other.at);
    }

    OrgEvent toEvent(String id) {
        Map<String, Object> data = new LinkedHashMap<>();
        for (int i = 0; i < words.size(); i++) {
            String field = kind.fields().get(i);
            data.put(
                    field,
                    field.equals("jobOver") ? (Object) words.get(i).equals("true") : words.get(i));
            if (field.equals("runId")) {
                // As versions up to 0.2 called it.
                data.put("jobRunId", words.get(i));
            }
        }
        return new OrgEvent(id, kind.label(), at, data);
    }
}
