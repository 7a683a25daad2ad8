package dev.skep.runner.api;

import dev.skep.agents.cost.CostSummary;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.RunSession;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.row.Timestamps;
import dev.skep.runner.RunnerStores;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What agents did and what it cost: logs, sessions, costs. */
public final class ActivityRoutes implements Route.Source {
    private static final int MOST = 10_000;

    private final RunnerStores stores;

    public ActivityRoutes(RunnerStores stores) {
        this.stores = stores;
    }

    /** A line of a log as people see it. */
    public record LogLineView(
            String id,
            String agent,
            String run,
            int session,
            String role,
            String source,
            String type,
            String message,
            @Nullable Object detail,
            @Nullable String at) {}

    /** A session as people see it; money in micro-dollars. */
    public record SessionSummary(
            String agent,
            String run,
            int session,
            String model,
            long lines,
            long cost,
            @Nullable String startedAt,
            @Nullable String lastActive,
            @Nullable String endedReason) {}

    /** Costs added up; money in micro-dollars. */
    public record CostTotals(
            String group,
            long calls,
            long cost,
            long inputTokens,
            long outputTokens,
            long cacheReadTokens,
            long cacheWriteTokens) {}

    @Override
    public List<Route> routes() {
        return List.of(
                AgentRoutes.read("/api/runner/logs", this::logs)
                        .described(
                                Operation.of("Log lines, of one agent or all.")
                                        .query("agent", String.class, "only of this agent")
                                        .query("after", String.class, "id of the last known line")
                                        .query("limit", int.class, "1 to 10000, usually 50")
                                        .answers(LogLineList.class)),
                AgentRoutes.read("/api/runner/sessions", this::sessions)
                        .described(
                                Operation.of("Sessions, newest first.")
                                        .query("agent", String.class, "only of this agent")
                                        .query("limit", int.class, "1 to 10000, usually 50")
                                        .answers(SessionList.class)),
                AgentRoutes.read("/api/runner/costs", this::costs)
                        .described(
                                Operation.of("Costs, added up by agent, session, model or source.")
                                        .query("agent", String.class, "only of this agent")
                                        .query("by", CostSummary.By.class, "usually agent")
                                        .query("since", Instant.class, "not before this time")
                                        .answers(CostTotalsList.class)));
    }

    private record LogLineList(List<LogLineView> lines) {}

    private record SessionList(List<SessionSummary> sessions) {}

    private record CostTotalsList(List<CostTotals> costs) {}

    private Response logs(Request request) {
        AgentNames names = new AgentNames(stores.agents(), request.principal());
        List<LogEntry> lines =
                stores.log()
                        .tail(
                                request.principal(),
                                names.asked(request),
                                request.query("after").orElse(null),
                                request.query("limit", 50, MOST));
        return Response.json(
                new LogLineList(lines.stream().map(line -> shown(line, names)).toList()));
    }

    private static LogLineView shown(LogEntry line, AgentNames names) {
        return new LogLineView(
                line.id(),
                names.of(line.session().agent()),
                line.session().run(),
                line.session().session(),
                line.role().name().toLowerCase(Locale.ROOT),
                line.source().name().toLowerCase(Locale.ROOT),
                line.type().name().toLowerCase(Locale.ROOT),
                line.message(),
                Json.objectOrNull(line.detail()),
                RunnerResponses.time(line.at()));
    }

    private Response sessions(Request request) {
        AgentNames names = new AgentNames(stores.agents(), request.principal());
        List<RunSession> sessions =
                stores.sessions()
                        .list(
                                request.principal(),
                                names.asked(request),
                                request.query("limit", 50, MOST));
        return Response.json(
                new SessionList(
                        sessions.stream()
                                .map(
                                        s ->
                                                new SessionSummary(
                                                        names.of(s.key().agent()),
                                                        s.key().run(),
                                                        s.key().session(),
                                                        s.model(),
                                                        s.totalLines(),
                                                        s.totalCost(),
                                                        RunnerResponses.time(s.createdAt()),
                                                        RunnerResponses.time(s.lastActive()),
                                                        s.endedReason()))
                                .toList()));
    }

    private Response costs(Request request) {
        AgentNames names = new AgentNames(stores.agents(), request.principal());
        CostSummary.By by = by(request.query("by").orElse("agent"));
        List<CostSummary> costs =
                stores.costs()
                        .summarize(request.principal(), by, names.asked(request), since(request));
        return Response.json(
                new CostTotalsList(
                        costs.stream()
                                .map(
                                        c ->
                                                new CostTotals(
                                                        by == CostSummary.By.AGENT
                                                                ? names.of(new AgentId(c.group()))
                                                                : c.group(),
                                                        c.calls(),
                                                        c.micros(),
                                                        c.inputTokens(),
                                                        c.outputTokens(),
                                                        c.cacheReadTokens(),
                                                        c.cacheWriteTokens()))
                                .toList()));
    }

    private static CostSummary.By by(String word) {
        for (CostSummary.By by : CostSummary.By.values()) {
            if (by.name().toLowerCase(Locale.ROOT).equals(word)) {
                return by;
            }
        }
        throw new SkepException(
                ErrorCode.BAD_REQUEST,
                "costs are not added up by '%s'; agent, session, model or source".formatted(word));
    }

    private static @Nullable Instant since(Request request) {
        Optional<String> since = request.query("since");
        try {
            return since.map(Timestamps::parse).orElse(null);
        } catch (DateTimeException e) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "since must be a time like 2026-11-15T08:00:00Z", e);
        }
    }
}
