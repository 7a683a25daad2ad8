package dev.skep.dispatch.view;

import dev.skep.dispatch.host.HostStatus;
import dev.skep.store.Database;

/** The number of hosts and runs of all orgs together, for the operator of the hub. */
public final class FleetCountsStore {
    private final Database database;

    public FleetCountsStore(Database database) {
        this.database = database;
    }

    public long hosts(HostStatus status) {
        return count("SELECT count(*) FROM host_health WHERE status = ?", status.label());
    }

    /** Runs that wait for their host or their time; in parts, each of which has its index. */
    public long waiting() {
        return count(
                """
                SELECT (SELECT count(*) FROM job_runs
                        WHERE status = 'pending' AND due_at IS NULL AND ordered_outside IS NULL)
                     + (SELECT count(*) FROM job_runs
                        WHERE status = 'pending' AND due_at IS NULL AND ordered_outside IS NOT NULL)
                     + (SELECT count(*) FROM job_runs WHERE status = 'pending' AND due_at IS NOT NULL)""");
    }

    public long running() {
        return count("SELECT count(*) FROM job_runs WHERE status = 'running'");
    }

    private long count(String sql, Object... parameters) {
        return database.read(snapshot -> snapshot.first(sql, row -> row.number(1), parameters))
                .orElse(0L);
    }
}
