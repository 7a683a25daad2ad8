package dev.skep.dispatch.event;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The kinds of events that streams send and webhooks can subscribe to, by name, with their fields.
 */
public enum EventKind {
    JOB_CREATED("job.created", "jobId", "hostId"),
    JOB_RUN_STARTED("job_run.started", "jobId", "runId", "hostId"),
    JOB_RUN_DONE("job_run.done", "jobId", "runId", "hostId", "status", "jobOver"),
    HOST_ONLINE("host.online", "hostId"),
    HOST_DEGRADED("host.degraded", "hostId"),
    HOST_OFFLINE("host.offline", "hostId"),
    HOST_ENROLLED("host.enrolled", "hostId"),
    HOST_REVOKED("host.revoked", "hostId");

    private final String label;

    /** Immutable, from {@code List.of}. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> fields;

    EventKind(String label, String... fields) {
        this.label = label;
        this.fields = List.of(fields);
    }

    public String label() {
        return label;
    }

    /** The names of what a {@link EventDraft} of this kind holds, in order. */
    List<String> fields() {
        return fields;
    }

    public static Optional<EventKind> of(String label) {
        return Arrays.stream(values()).filter(kind -> kind.label.equals(label)).findFirst();
    }
}
