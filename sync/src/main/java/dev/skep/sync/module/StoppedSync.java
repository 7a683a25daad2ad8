package dev.skep.sync.module;

import dev.skep.directory.enrolment.ConnectedHosts;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.module.HostProcess;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.routes.SyncRoutes;
import dev.skep.sync.sql.HostSyncStatusReader;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Map;

/** How sync stands on a database that no process syncs: by what was stored when one did. */
public final class StoppedSync {
    private StoppedSync() {}

    public static List<Route> routes(HostProcess process, ConnectedHosts connected) {
        var reports = new SyncReports(process.database(), SyncSchema.of(process.tables()));
        if (process.host().kind() == HostKind.HUB) {
            var hosts =
                    new HostSyncStatusReader(
                            process.database(), reports, connected::isLive, Map::of);
            return new SyncRoutes(reports, hosts::of).routes();
        }
        return new SyncRoutes(
                        reports,
                        _ ->
                                HubSyncStatusReader.stopped(
                                        process.self(), process.host().keys().hubs(), reports))
                .routes();
    }
}
