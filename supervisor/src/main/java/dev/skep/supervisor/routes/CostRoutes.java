package dev.skep.supervisor.routes;

import dev.skep.agents.view.CostBucket;
import dev.skep.agents.view.CostSeriesStore;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.supervisor.view.AgentView;
import dev.skep.supervisor.view.FleetReader;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Route;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Money over time. */
final class CostRoutes implements Route.Source {
    private final CostSeriesStore costs;
    private final FleetReader fleet;
    private final InstantSource clock;

    CostRoutes(CostSeriesStore costs, FleetReader fleet, InstantSource clock) {
        this.costs = costs;
        this.fleet = fleet;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                ViewRoute.get(
                        "/history/costs",
                        Operation.of("Costs by day or hour, and by agent, host or model.")
                                .query("by", CostSeriesStore.By.class, "usually agent")
                                .query("unit", CostSeriesStore.Unit.class, "usually day")
                                .query("count", int.class, "how many of them, 1 to 400")
                                .query("host", String.class, "only of this host")
                                .query("agent", String.class, "only of this agent")
                                .query("model", String.class, "only of this model")
                                .answers(Series.class),
                        this::series));
    }

    /**
     * Sums by time and group.
     *
     * @param names what people call the groups
     * @param dayLimit micro-dollars that agents may spend today, spent ones included; null if some
     *     have no limit
     */
    private record Series(
            Instant since,
            Instant until,
            List<CostBucket> buckets,
            Map<String, String> names,
            @Nullable Long dayLimit) {}

    private Series series(Request request) {
        var by = choice(request, "by", CostSeriesStore.By.values(), CostSeriesStore.By.AGENT);
        var unit = choice(request, "unit", CostSeriesStore.Unit.values(), CostSeriesStore.Unit.DAY);
        boolean hours = unit == CostSeriesStore.Unit.HOUR;
        Instant until =
                clock.instant()
                        .truncatedTo(hours ? ChronoUnit.HOURS : ChronoUnit.DAYS)
                        .plus(hours ? Duration.ofHours(1) : Duration.ofDays(1));
        int count = request.query("count", hours ? 48 : 30, 400);
        Instant since = until.minus(hours ? Duration.ofHours(count) : Duration.ofDays(count));
        var filter =
                new CostSeriesStore.Filter(
                        since,
                        until,
                        request.query("host"),
                        request.query("agent"),
                        request.query("model"));
        return new Series(
                since,
                until,
                costs.series(request.principal(), by, unit, filter),
                names(request, by),
                hours ? null : dayLimit(request));
    }

    private Map<String, String> names(Request request, CostSeriesStore.By by) {
        return switch (by) {
            case AGENT ->
                    fleet.agents(request.principal()).stream()
                            .collect(
                                    Collectors.toMap(
                                            AgentView::id, a -> a.username() + "@" + a.hostName()));
            case HOST -> fleet.hostNames(request.principal());
            case MODEL -> Map.of();
        };
    }

    private @Nullable Long dayLimit(Request request) {
        long sum = 0;
        for (AgentView agent : fleet.agents(request.principal())) {
            boolean asked =
                    agent.kind().equals("agent")
                            && !agent.removed()
                            && request.query("host").filter(h -> !h.equals(agent.host())).isEmpty()
                            && request.query("agent").filter(a -> !a.equals(agent.id())).isEmpty();
            if (asked && agent.budgetLeft() == null) {
                return null;
            }
            sum +=
                    asked && agent.budgetLeft() != null
                            ? agent.spentToday() + agent.budgetLeft()
                            : 0;
        }
        return sum == 0 ? null : sum;
    }

    private static <E extends Enum<E>> E choice(
            Request request, String name, E[] values, E otherwise) {
        String asked = request.query(name).orElse("");
        for (E value : values) {
            if (value.name().toLowerCase(Locale.ROOT).equals(asked)) {
                return value;
            }
        }
        if (asked.isEmpty()) {
            return otherwise;
        }
        throw new SkepException(
                ErrorCode.BAD_REQUEST, "query '%s' cannot be '%s'".formatted(name, asked));
    }
}
