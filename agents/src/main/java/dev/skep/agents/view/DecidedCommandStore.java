package dev.skep.agents.view;

import dev.skep.agents.session.DecisionLine;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The decisions about commands, read from the agents' logs, which reach every hub. */
public final class DecidedCommandStore {
    private final Database database;

    public DecidedCommandStore(Database database) {
        this.database = database;
    }

    private record Line(
            String id,
            String agent,
            String run,
            String session,
            String message,
            @Nullable String detail,
            Instant at) {}

    private record OfTurn(String id, String type, @Nullable String command, Instant at) {}

    /** The newest decision first. */
    public List<DecidedCommand> newest(Principal who, int limit) {
        return database.read(
                snapshot ->
                        snapshot
                                .list(
                                        """
                                        SELECT id, user_id, run_id, session_id, message, detail, created_at
                                        FROM context_log WHERE org_id = ? AND type = 'decision'
                                        ORDER BY id DESC LIMIT ?
                                        """,
                                        DecidedCommandStore::line,
                                        who.org().value(),
                                        limit)
                                .stream()
                                .flatMap(line -> decided(snapshot, who, line).stream())
                                .toList());
    }

    private static Optional<DecidedCommand> decided(Snapshot snapshot, Principal who, Line line) {
        Optional<JsonFields> detail =
                Json.fieldsIfObject(line.detail()).filter(each -> each.has("approval"));
        return detail.isPresent()
                ? decidedAs(snapshot, who, line, detail.get())
                : decidedInTurn(snapshot, who, line);
    }

    /** The decision names the line it is about. */
    private static Optional<DecidedCommand> decidedAs(
            Snapshot snapshot, Principal who, Line line, JsonFields detail) {
        return snapshot.first(
                """
                SELECT id, message, detail, created_at FROM context_log
                WHERE org_id = ? AND id = ? AND user_id = ?
                """,
                row ->
                        new DecidedCommand(
                                row.text("id"),
                                line.agent(),
                                row.text("message"),
                                row.textOrNull("detail"),
                                row.time("created_at"),
                                DecisionLine.of(line.message()).with(detail),
                                line.at()),
                who.org().value(),
                detail.shown("approval"),
                line.agent());
    }

    /**
     * As hosts of earlier versions write it: commands of a turn are answered in their order, and a
     * decision comes before its answer.
     */
    private static Optional<DecidedCommand> decidedInTurn(
            Snapshot snapshot, Principal who, Line line) {
        List<OfTurn> turn = turnBefore(snapshot, who, line);
        long answered = turn.stream().filter(each -> each.type().equals("output")).count();
        return turn.stream()
                .filter(each -> each.type().equals("command"))
                .skip(answered)
                .findFirst()
                .map(
                        command ->
                                new DecidedCommand(
                                        command.id(),
                                        line.agent(),
                                        Optional.ofNullable(command.command()).orElse(""),
                                        null,
                                        command.at(),
                                        DecisionLine.of(line.message()),
                                        line.at()));
    }

    private static List<OfTurn> turnBefore(Snapshot snapshot, Principal who, Line line) {
        return snapshot.list(
                """
                SELECT id, type, CASE WHEN type = 'command' THEN message END AS command, created_at
                FROM context_log
                WHERE user_id = ? AND run_id = ? AND session_id = ? AND id < ?
                  AND id > COALESCE((
                      SELECT max(r.id) FROM context_log r
                      WHERE r.user_id = ? AND r.run_id = ? AND r.session_id = ? AND r.id < ?
                        AND r.type = 'reply'), '')
                  AND type IN ('command', 'output') AND org_id = ?
                ORDER BY id
                """,
                row ->
                        new OfTurn(
                                row.text("id"),
                                row.text("type"),
                                row.textOrNull("command"),
                                row.time("created_at")),
                line.agent(),
                line.run(),
                line.session(),
                line.id(),
                line.agent(),
                line.run(),
                line.session(),
                line.id(),
                who.org().value());
    }

    private static Line line(ResultRow row) {
        return new Line(
                row.text("id"),
                row.text("user_id"),
                row.text("run_id"),
                row.text("session_id"),
                row.text("message"),
                row.textOrNull("detail"),
                row.time("created_at"));
    }
}
