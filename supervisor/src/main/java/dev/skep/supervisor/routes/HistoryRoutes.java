package dev.skep.supervisor.routes;

import dev.skep.agents.view.MailPageStore;
import dev.skep.agents.view.SessionPageStore;
import dev.skep.supervisor.view.HistoryReader;
import dev.skep.supervisor.view.LogLine;
import dev.skep.supervisor.view.MailView;
import dev.skep.supervisor.view.SessionView;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sessions, logs and mail, in pages. */
final class HistoryRoutes implements Route.Source {
    private static final int PAGE = 100;
    private static final int MOST = 1_000;

    private final HistoryReader history;

    HistoryRoutes(HistoryReader history) {
        this.history = history;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                ViewRoute.get(
                        "/history/sessions",
                        ViewRoute.paged("Sessions, in pages.")
                                .query("host", String.class, "only of this host")
                                .query("agent", String.class, "only of this agent")
                                .query("state", String.class, "running: only those")
                                .answers(KeysetPage.class, SessionView.class),
                        this::sessions),
                ViewRoute.get(
                        "/history/sessions/{agent}/{run}/{session}",
                        Operation.of("One session.").answers(SessionView.class),
                        this::session),
                ViewRoute.get(
                        "/history/log",
                        LogFilters.described(ViewRoute.paged("Log lines, in pages."))
                                .query("after", String.class, "id of the last known line")
                                .answers(Lines.class),
                        this::log),
                ViewRoute.get(
                        "/history/mail",
                        ViewRoute.paged("Mail, in pages.")
                                .query("host", String.class, "only of this host")
                                .query("agent", String.class, "only of this agent")
                                .query("q", String.class, "what is looked for")
                                .query("state", String.class, "unread: only those")
                                .answers(KeysetPage.class, MailView.class),
                        this::mail),
                ViewRoute.get(
                        "/history/mail/{message}",
                        Operation.of("One mail, with who read it where.").answers(MailView.class),
                        this::message));
    }

    private Object sessions(Request request) {
        int limit = request.query("limit", PAGE, MOST);
        var filter =
                new SessionPageStore.Filter(
                        request.query("host"),
                        request.query("agent"),
                        request.query("state").filter("running"::equals).isPresent());
        Optional<SessionPageStore.After> after =
                request.query("before").flatMap(HistoryRoutes::place);
        return KeysetPage.of(
                history.sessions(request.principal(), filter, after, limit + 1),
                limit,
                s -> s.run() + "." + s.session() + "." + s.agent());
    }

    private static Optional<SessionPageStore.After> place(String text) {
        String[] parts = text.split("\\.", 3);
        return parts.length == 3 && parts[1].matches("[0-9]{1,9}")
                ? Optional.of(
                        new SessionPageStore.After(parts[0], Integer.parseInt(parts[1]), parts[2]))
                : Optional.empty();
    }

    private SessionView session(Request request) {
        String number = request.parameter("session");
        String run = request.parameter("run");
        return Optional.of(number)
                .filter(n -> n.matches("[0-9]{1,9}"))
                .flatMap(
                        n ->
                                history.session(
                                        request.principal(),
                                        request.parameter("agent"),
                                        run,
                                        Integer.parseInt(n)))
                .orElseThrow(() -> ViewRoute.none("session", run));
    }

    /** Lines in the order they were written; more before them if there is a {@code before}. */
    private record Lines(List<LogLine> lines, @Nullable String before) {}

    private Object log(Request request) {
        int limit = request.query("limit", 500, MOST);
        var filter = LogFilters.of(request);
        Optional<String> after = request.query("after");
        if (after.isPresent()) {
            return new Lines(
                    history.linesAfter(request.principal(), filter, after.get(), limit), null);
        }
        List<LogLine> lines =
                history.linesBefore(
                        request.principal(), filter, request.query("before"), limit + 1);
        if (lines.size() <= limit) {
            return new Lines(lines, null);
        }
        List<LogLine> shown = lines.subList(1, lines.size());
        return new Lines(shown, shown.getFirst().id());
    }

    private Object mail(Request request) {
        int limit = request.query("limit", PAGE, MOST);
        var filter =
                new MailPageStore.Filter(
                        request.query("agent"),
                        request.query("host"),
                        request.query("q"),
                        request.query("state").filter("unread"::equals).isPresent());
        return KeysetPage.of(
                history.mail(request.principal(), filter, request.query("before"), limit + 1),
                limit,
                MailView::id);
    }

    private MailView message(Request request) {
        String id = request.parameter("message");
        return history.message(request.principal(), id)
                .orElseThrow(() -> ViewRoute.none("message", id));
    }
}
