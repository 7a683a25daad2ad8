package dev.skep.supervisor.routes;

import dev.skep.dispatch.alert.AlertDetails;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.view.JobFilter;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.view.DispatchReader;
import dev.skep.supervisor.view.JobView;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Jobs, their runs, and alerts; what a run prints comes with the live stream. */
final class DispatchViewRoutes implements Route.Source {
    private static final int PAGE = 100;
    private static final int MOST = 1_000;

    private final Optional<DispatchReader> dispatch;

    DispatchViewRoutes(Optional<DispatchReader> dispatch) {
        this.dispatch = dispatch;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                ViewRoute.get(
                        "/history/jobs",
                        ViewRoute.paged("Jobs, in pages.")
                                .query("status", RunStatus.class, "of the newest run")
                                .query("host", String.class, "only of this host")
                                .query("server", String.class, "only of this server")
                                .answers(JobHistoryPage.class),
                        this::jobs),
                ViewRoute.get(
                        "/jobs/{job}",
                        Operation.of("What the page of a job shows.").answers(JobView.Detail.class),
                        this::job),
                ViewRoute.get(
                        "/history/alerts",
                        ViewRoute.paged("Alerts, in pages.")
                                .query("state", String.class, "open: only those")
                                .answers(KeysetPage.class, AlertDetails.class),
                        this::alerts));
    }

    private record JobHistoryPage(KeysetPage<JobView> page, Map<String, Long> counts) {}

    private JobHistoryPage jobs(Request request) {
        DispatchReader reader = ViewRoute.present(dispatch, "jobs");
        int limit = request.query("limit", PAGE, MOST);
        var filter =
                new JobFilter(
                        request.query("status"),
                        request.query("host"),
                        request.query("server"),
                        Optional.empty(),
                        request.query("before"),
                        limit + 1);
        return new JobHistoryPage(
                KeysetPage.of(reader.jobs(request.principal(), filter), limit, JobView::id),
                reader.jobCounts(request.principal(), filter.host()));
    }

    private JobView.Detail job(Request request) {
        String id = request.parameter("job");
        return ViewRoute.present(dispatch, "jobs")
                .job(request.principal(), id)
                .orElseThrow(() -> ViewRoute.none("job", id));
    }

    private Object alerts(Request request) {
        DispatchReader reader = ViewRoute.present(dispatch, "alerts");
        Principal who = request.principal();
        int limit = request.query("limit", PAGE, MOST);
        Optional<String> before = request.query("before");
        boolean openOnly = request.query("state").filter("open"::equals).isPresent();
        return KeysetPage.of(
                openOnly
                        ? reader.openAlerts(who, before, limit + 1)
                        : reader.alerts(who, before, limit + 1),
                limit,
                AlertDetails::id);
    }
}
