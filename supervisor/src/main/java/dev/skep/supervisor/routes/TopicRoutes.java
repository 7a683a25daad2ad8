package dev.skep.supervisor.routes;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.Keyed;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.supervisor.live.EventStream;
import dev.skep.supervisor.live.FollowedLog;
import dev.skep.supervisor.live.LiveBoard;
import dev.skep.supervisor.live.LiveBoards;
import dev.skep.supervisor.view.DispatchReader;
import dev.skep.supervisor.view.HistoryReader;
import dev.skep.supervisor.view.OutputLine;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Live lists: all rows of a topic, and the stream of later changes. */
final class TopicRoutes implements Route.Source {
    private static final int MOST_TOPICS = 20;
    private static final int MOST_ROWS = 1_000;

    private final LiveBoards boards;
    private final HistoryReader history;
    private final Optional<DispatchReader> dispatch;
    private final EventStream.Pace pace;

    TopicRoutes(
            LiveBoards boards,
            HistoryReader history,
            Optional<DispatchReader> dispatch,
            EventStream.Pace pace) {
        this.boards = boards;
        this.history = history;
        this.dispatch = dispatch;
        this.pace = pace;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                ViewRoute.get(
                        "/{topic}",
                        Operation.of(
                                        "A list the stream goes on with: hosts, agents, jobs, nodes, …, and the place to go on from; all of it, or a page by id.")
                                .query("after", String.class, "next of the page before")
                                .query("limit", int.class, "1 to 1000; all if left out")
                                .answers(Listed.class),
                        this::list),
                new Route(
                                HttpMethod.GET,
                                "/api/orgs/{org}/live",
                                Access.operators(Role.VIEWER),
                                OrgScope.PATH,
                                this::stream)
                        .described(
                                LogFilters.described(
                                                Operation.of(
                                                        "A tab's one event stream: what changed in the topics it shows (decision 25)."))
                                        .query("topics", String.class, "names, with commas between")
                                        .query("from", String.class, "the place of the list")
                                        .query(
                                                "log",
                                                String.class,
                                                "agents or run: follow lines too")
                                        .query("line", String.class, "the last known line")
                                        .query("after", String.class, "the last known event")
                                        .answersText("text/event-stream")));
    }

    /**
     * All rows of a topic, or a page of them by id.
     *
     * @param place from where a stream continues
     * @param next what to ask for as {@code after} to go on; null at the end
     */
    private record Listed(
            Collection<? extends Keyed> rows, String place, Instant now, @Nullable String next) {}

    private Object list(Request request) {
        LiveBoard.Reading reading = boards.of(request.org()).read(request.parameter("topic"));
        String place = pace.place(reading.number());
        Instant now = pace.clock().instant();
        String after = request.query("after").orElse("");
        if (after.isEmpty() && request.query("limit").isEmpty()) {
            return new Listed(reading.rows(), place, now, null);
        }
        int limit = request.query("limit", MOST_ROWS, MOST_ROWS);
        List<? extends Keyed> rest =
                reading.rows().stream()
                        .filter(row -> row.id().compareTo(after) > 0)
                        .sorted(Comparator.comparing(Keyed::id))
                        .limit(limit + 1L)
                        .toList();
        KeysetPage<? extends Keyed> page = KeysetPage.of(rest, limit, Keyed::id);
        return new Listed(page.rows(), place, now, page.next());
    }

    private Response stream(Request request) {
        Set<String> topics = new TreeSet<>();
        request.query("topics").ifPresent(t -> topics.addAll(List.of(t.split(",", -1))));
        LiveBoard board = boards.of(request.org());
        if (topics.size() > MOST_TOPICS || !topics.stream().allMatch(board::has)) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "query 'topics' names a topic that is not here");
        }
        return new EventStream(
                        board,
                        topics,
                        request.query("from").orElse(""),
                        followed(request),
                        request.query("line").orElse(""),
                        pace)
                .response();
    }

    /** An agent's log by the usual filters, or what a run prints. */
    private @Nullable FollowedLog followed(Request request) {
        Principal who = request.principal();
        String run = request.query("run").orElse("");
        return switch (request.query("log").orElse("")) {
            case "agents" -> {
                var filter = LogFilters.of(request);
                yield (line, limit) -> history.linesAfter(who, filter, line, limit);
            }
            case "run" -> {
                DispatchReader reader = ViewRoute.present(dispatch, "jobs");
                yield (line, limit) -> reader.output(who, run, OutputLine.number(line), limit);
            }
            default -> null;
        };
    }
}
