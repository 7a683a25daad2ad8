package dev.skep.app.retention;

import dev.skep.cli.config.RetentionConfig;
import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.clock.RetentionClock;
import dev.skep.sync.sql.RetentionStore;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Routes for this machine's command line: the state of retention, and an operator's decision about
 * time that a wall clock jumped over. A database holds rows of all orgs, so no other caller may use
 * them.
 */
public final class RetentionRoutes implements Route.Source {
    private final List<AgedDatabase> databases;
    private final RetentionConfig config;

    /**
     * A database.
     *
     * @param named runner or hub
     * @param audit where it is written down who decided
     */
    public record AgedDatabase(String named, Database database, AuditStore audit) {}

    public RetentionRoutes(List<AgedDatabase> databases, RetentionConfig config) {
        this.databases = List.copyOf(databases);
        this.config = config;
    }

    /** Of the databases of a process, each once. */
    public static RetentionRoutes of(RetentionConfig config, HostProcess... hosts) {
        return new RetentionRoutes(
                Arrays.stream(hosts)
                        .distinct()
                        .map(
                                host ->
                                        new AgedDatabase(
                                                host.host().kind().stored(),
                                                host.database(),
                                                new AuditStore(host.ids(), host.clock())))
                        .toList(),
                config);
    }

    /**
     * One database, for people.
     *
     * @param clockSeconds how long it has been at work, by which its rows age
     * @param heldSeconds what the wall clock jumped over, not yet decided about
     * @param keptDays by kind; what is not there is kept for ever
     */
    public record Shown(
            String database,
            String name,
            long clockSeconds,
            long heldSeconds,
            @Nullable Long secondsSinceRound,
            Map<String, Long> keptDays,
            @Nullable Long mostBytes,
            @Nullable Long usedBytes,
            Hourly hourly,
            List<RetentionStore.Backlog> waiting) {}

    /**
     * An hour purges at most the largest of these: a share of a table, a number of rows, a multiple
     * of the new rows.
     */
    public record Hourly(int percent, long rows, int timesArrived) {}

    @Override
    public List<Route> routes() {
        return List.of(
                local(HttpMethod.GET, "/api/retention", this::show)
                        .described(
                                Operation.of(
                                                "By which clock the rows of each database of this machine age, and what old rows wait for.")
                                        .answers(DatabaseList.class)),
                local(
                                HttpMethod.POST,
                                "/api/retention/{database}/passed",
                                request -> decide(request, true))
                        .described(
                                Operation.of(
                                                "Counts the time that the database's wall clock jumped over: it did pass.")
                                        .answers(DecidedTime.class)),
                local(
                                HttpMethod.POST,
                                "/api/retention/{database}/dismiss",
                                request -> decide(request, false))
                        .described(
                                Operation.of(
                                                "Forgets the time that the database's wall clock jumped over: it was wrong.")
                                        .answers(DecidedTime.class)));
    }

    private record DatabaseList(List<Shown> databases) {}

    private record DecidedTime(String database, long seconds) {}

    private static Route local(HttpMethod method, String path, Route.Handler handler) {
        return new Route(method, path, Access.local(), OrgScope.NONE, handler);
    }

    private Response show(Request request) {
        return Response.json(new DatabaseList(databases.stream().map(this::shown).toList()));
    }

    private Shown shown(AgedDatabase kept) {
        return kept.database().read(snapshot -> shown(kept, snapshot));
    }

    private Shown shown(AgedDatabase kept, Snapshot snapshot) {
        var retentionClockState = RetentionClock.read(snapshot);
        Map<String, Long> days = new TreeMap<>();
        config.kept().forEach((kind, keep) -> days.put(kind.word(), keep.toDays()));
        return new Shown(
                kept.named(),
                kept.database().name(),
                Duration.ofMillis(retentionClockState.at()).toSeconds(),
                Duration.ofMillis(retentionClockState.held()).toSeconds(),
                RetentionClock.sinceRound(snapshot).map(Duration::toSeconds).orElse(null),
                days,
                orNull(config.mostBytes()),
                orNull(kept.database().usedBytes()),
                new Hourly(
                        RetentionStore.PurgeLimit.HOURLY.percent(),
                        RetentionStore.PurgeLimit.HOURLY.least(),
                        RetentionStore.PurgeLimit.TIMES_RECENT),
                RetentionStore.backlog(snapshot));
    }

    private static @Nullable Long orNull(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }

    private Response decide(Request request, boolean passed) {
        String named = request.parameter("database");
        AgedDatabase kept =
                databases.stream()
                        .filter(each -> each.named().equals(named))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new SkepException(
                                                ErrorCode.NOT_FOUND,
                                                "there is no %s database here; 'skep retention' lists them"
                                                        .formatted(named)));
        Duration held =
                kept.database()
                        .write(
                                tx -> {
                                    Duration before = RetentionClock.decide(tx, passed);
                                    if (before.isZero()) {
                                        throw new SkepException(
                                                ErrorCode.CONFLICT,
                                                "the %s's clock has jumped over nothing that is undecided"
                                                        .formatted(named));
                                    }
                                    kept.audit()
                                            .record(
                                                    tx,
                                                    request.actor(),
                                                    passed
                                                            ? "retention_passed"
                                                            : "retention_dismissed",
                                                    "database:" + named,
                                                    Map.of("days", "" + before.toDays()));
                                    return before;
                                });
        return Response.json(new DecidedTime(named, held.toSeconds()));
    }
}
