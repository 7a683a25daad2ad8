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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Live lists: all rows of a topic, and the stream of later changes. */
final class TopicRoutes implements Route.Source {
    private static final int MOST_TOPICS = 20;

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
                                        "A list the stream goes on with: hosts, agents, jobs, nodes, …, and the place to go on from.")
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
     * All rows of a topic.
     *
     * @param place from where a stream continues
     */
    private record Listed(Collection<? extends Keyed> rows, String place, Instant now) {}

    private Object list(Request request) {
        LiveBoard.Reading reading = boards.of(request.org()).read(request.parameter("topic"));
        return new Listed(reading.rows(), pace.place(reading.number()), pace.clock().instant());
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
