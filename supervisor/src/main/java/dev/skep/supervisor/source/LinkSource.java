package dev.skep.supervisor.source;

import dev.skep.kernel.id.Keyed;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.sync.sql.SyncReports;
import java.util.List;
import java.util.Optional;

/** The links of this process, and rows that were set aside. */
public interface LinkSource {
    List<LinkView> all(Principal principal);

    /** A row that was not stored, and why. */
    record QuarantinedRowView(
            String id, String host, String table, String key, String reason, String at)
            implements Keyed {
        /** What sync set aside, newest first, on a hub as on a runner. */
        public static List<QuarantinedRowView> all(
                SyncReports reports, Principal principal, int limit) {
            return reports.quarantine(principal, limit).stream()
                    .map(QuarantinedRowView::of)
                    .toList();
        }

        private static QuarantinedRowView of(SyncReports.QuarantineView row) {
            return new QuarantinedRowView(
                    String.join(" ", row.host(), row.table(), row.key(), row.reason()),
                    row.host(),
                    row.table(),
                    row.key(),
                    row.reason(),
                    Timestamps.format(row.at()));
        }
    }

    List<QuarantinedRowView> quarantine(Principal principal, int limit);

    /** The newest connections of one host or of all, newest first; none if they are not kept. */
    List<HostConnection> connections(Principal principal, Optional<String> host, int limit);
}
