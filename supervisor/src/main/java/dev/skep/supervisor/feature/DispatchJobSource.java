package dev.skep.supervisor.feature;

import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.output.OutputStore;
import dev.skep.dispatch.view.JobDetails;
import dev.skep.dispatch.view.JobFilter;
import dev.skep.dispatch.view.JobQueries;
import dev.skep.dispatch.view.RunDetails;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.source.JobSource;
import dev.skep.supervisor.source.JobView;
import dev.skep.supervisor.source.OutputView;
import dev.skep.supervisor.source.RunView;
import dev.skep.transport.route.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The queue, whatever engine is under it: runs are recorded in SQL. */
public final class DispatchJobSource implements JobSource {
    private static final int SUMMARY = 120;

    private final Database database;
    private final OutputStore output = new OutputStore();

    public DispatchJobSource(Database database) {
        this.database = database;
    }

    @Override
    public List<JobView> newest(
            Principal principal, Filter filter, Optional<String> before, int limit) {
        var wanted =
                new JobFilter(
                        filter.status(),
                        filter.host(),
                        filter.server(),
                        Optional.empty(),
                        before,
                        limit);
        return database.read(snapshot -> JobQueries.list(snapshot, principal, wanted)).stream()
                .map(DispatchJobSource::job)
                .toList();
    }

    @Override
    public Map<String, Long> counts(Principal principal, Filter filter) {
        return database.read(snapshot -> JobQueries.counts(snapshot, principal, filter.host()));
    }

    @Override
    public Optional<Detail> find(Principal principal, String job) {
        return database.read(
                snapshot ->
                        JobQueries.find(snapshot, principal, job)
                                .map(
                                        found ->
                                                new Detail(
                                                        job(found),
                                                        new Terms(
                                                                found.maxAttempts(),
                                                                found.timeoutSeconds(),
                                                                found.runAt()),
                                                        text(found.payload()),
                                                        JobQueries.runs(snapshot, principal, job)
                                                                .reversed()
                                                                .stream()
                                                                .map(DispatchJobSource::run)
                                                                .toList())));
    }

    @Override
    public List<OutputView> output(Principal principal, String run, long after, int limit) {
        return database
                .read(snapshot -> output.after(snapshot, principal, new RunId(run), after, limit))
                .stream()
                .map(chunk -> new OutputView(chunk.n(), chunk.stream(), chunk.text()))
                .toList();
    }

    private static JobView job(JobDetails job) {
        return new JobView(
                job.id(),
                job.type(),
                job.hostId(),
                job.serverInstanceId(),
                job.status(),
                job.run().attempt(),
                job.priority(),
                job.createdAt(),
                job.createdById(),
                job.run().startedAt(),
                job.run().finishedAt(),
                summary(job.payload()),
                problem(job.run().result()));
    }

    /** What people call the job: its command, its agent and task, or its server. */
    private static String summary(@Nullable Object payload) {
        var fields = Json.fields(text(payload));
        String words =
                fields.optionalText("command")
                        .or(
                                () ->
                                        fields.optionalText("agent")
                                                .map(
                                                        agent ->
                                                                agent
                                                                        + fields.optionalText(
                                                                                        "task")
                                                                                .map(t -> ": " + t)
                                                                                .orElse("")))
                        .or(() -> fields.optionalText("name"))
                        .orElse("");
        return words.length() <= SUMMARY ? words : words.substring(0, SUMMARY) + "…";
    }

    private static @Nullable String problem(@Nullable Object result) {
        return result == null ? null : Json.fields(text(result)).optionalText("error").orElse(null);
    }

    private static RunView run(RunDetails run) {
        return new RunView(
                run.id(),
                run.attempt(),
                run.hostId(),
                run.status(),
                run.startedAt(),
                run.finishedAt(),
                run.result() == null ? null : text(run.result()));
    }

    private static String text(@Nullable Object json) {
        return json == null ? "{}" : Json.text(json);
    }
}
