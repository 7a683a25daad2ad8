package dev.skep.supervisor.routes;

import dev.skep.agents.AgentStore;
import dev.skep.agents.cost.CostTotalsStore;
import dev.skep.agents.mail.PersonMailboxes;
import dev.skep.agents.version.AgentVersionStore;
import dev.skep.agents.view.CostSeriesStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.live.EventStream;
import dev.skep.supervisor.live.LiveBoards;
import dev.skep.supervisor.source.Sources;
import dev.skep.supervisor.view.DispatchReader;
import dev.skep.supervisor.view.FleetReader;
import dev.skep.supervisor.view.HistoryReader;
import dev.skep.transport.route.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** All routes of the supervisor. */
public final class SupervisorRoutes implements Route.Source {
    private final List<Route.Source> parts;

    /** What the routes read from. */
    public record RouteSources(
            Database database,
            Sources sources,
            FleetReader fleet,
            HistoryReader history,
            Optional<DispatchReader> dispatch,
            AgentStore agents,
            AgentVersionStore versions,
            CostSeriesStore costs) {}

    /**
     * The mail of people; absent where the database is only looked at.
     *
     * @param names what a person is called in mail
     */
    public record Mail(PersonMailboxes mailboxes, Function<Principal, String> names) {}

    public SupervisorRoutes(
            RouteSources routeSources,
            LiveBoards boards,
            EventStream.Pace pace,
            Optional<Mail> mail) {
        this.parts =
                List.of(
                        new AboutRoutes(routeSources.sources(), mail.isPresent(), pace.clock()),
                        new TopicRoutes(
                                boards, routeSources.history(), routeSources.dispatch(), pace),
                        new HistoryRoutes(routeSources.history()),
                        new CostRoutes(
                                routeSources.costs(),
                                new CostTotalsStore(routeSources.database()),
                                routeSources.fleet(),
                                pace.clock()),
                        new DetailRoutes(
                                routeSources.sources(),
                                routeSources.fleet(),
                                routeSources.dispatch(),
                                routeSources.agents()),
                        new DispatchViewRoutes(routeSources.dispatch()),
                        new RecordRoutes(routeSources.database(), routeSources.sources()),
                        new BulkRoutes(routeSources.sources(), routeSources.fleet()),
                        new ActionRoutes(routeSources.sources(), routeSources.fleet()),
                        new PersonMailRoutes(
                                routeSources.database(),
                                mail.map(
                                        m ->
                                                new PersonMailRoutes.Mailing(
                                                        m.mailboxes(), m.names()))),
                        new AgentFileRoutes(
                                routeSources.sources(),
                                routeSources.agents(),
                                routeSources.versions()));
    }

    @Override
    public List<Route> routes() {
        List<Route> all = new ArrayList<>();
        parts.forEach(part -> all.addAll(part.routes()));
        return all;
    }
}
