package dev.skep.supervisor.routes;

import dev.skep.supervisor.source.JobSource;
import dev.skep.supervisor.source.JobView;
import dev.skep.supervisor.source.Sources;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Jobs and their runs; what a run prints comes with the live stream. */
final class WorkRoutes implements Route.Source {
    private static final int PAGE = 100;
    private static final int MOST = 1_000;

    private final Sources sources;

    WorkRoutes(Sources sources) {
        this.sources = sources;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                ViewRoute.get("/history/jobs", this::jobs),
                ViewRoute.get("/jobs/{job}", this::job));
    }

    private record JobPage(KeysetPage<JobView> page, Map<String, Long> counts) {}

    private JobPage jobs(Request request) {
        JobSource jobSource = ViewRoute.present(sources.jobs(), "jobs");
        var filter =
                new JobSource.Filter(
                        request.query("status"), request.query("host"), request.query("server"));
        int limit = request.query("limit", PAGE, MOST);
        var anyStatus = new JobSource.Filter(Optional.empty(), filter.host(), filter.server());
        return new JobPage(
                KeysetPage.of(
                        jobSource.newest(
                                request.principal(), filter, request.query("before"), limit + 1),
                        limit,
                        JobView::id),
                jobSource.counts(request.principal(), anyStatus));
    }

    private JobSource.Detail job(Request request) {
        String id = request.parameter("job");
        return ViewRoute.present(sources.jobs(), "jobs")
                .find(request.principal(), id)
                .orElseThrow(() -> ViewRoute.none("job", id));
    }
}
