package dev.skep.kernel.event;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import java.time.Instant;
import java.util.Set;

/** A fact about the fleet: ids and instants only, so that it can be shown to anyone of its org. */
public sealed interface FleetEvent {
    OrgId org();

    Instant at();

    /** Rows of a host arrived through sync and are committed; of which tables. */
    record RowsReceived(OrgId org, Instant at, HostId owner, Set<String> tables)
            implements FleetEvent {}

    /** A host joined the org for the first time. */
    record HostEnrolled(OrgId org, Instant at, HostId host) implements FleetEvent {}

    /** A host's key or enrolment was revoked; components that hold its sockets close them now. */
    record HostRevoked(OrgId org, Instant at, HostId host) implements FleetEvent {}

    /** Work was asked for. */
    record JobCreated(OrgId org, Instant at, HostId host, String job) implements FleetEvent {}

    /** A host took a run. */
    record JobRunStarted(OrgId org, Instant at, HostId host, String job, String run)
            implements FleetEvent {}

    /**
     * A run is over.
     *
     * @param status how it ended
     * @param jobOver whether no other run follows
     */
    record JobRunDone(
            OrgId org,
            Instant at,
            HostId host,
            String job,
            String run,
            String status,
            boolean jobOver)
            implements FleetEvent {}

    /** A host is now online, degraded or offline. */
    record HostStatusChanged(OrgId org, Instant at, HostId host, String status)
            implements FleetEvent {}
}
