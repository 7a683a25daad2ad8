package dev.skep.supervisor.routes;

import dev.skep.agents.AgentStore;
import dev.skep.agents.mail.MailStore;
import dev.skep.agents.view.CostSeriesStore;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Actor;
import dev.skep.supervisor.live.EventStream;
import dev.skep.supervisor.live.LiveBoards;
import dev.skep.supervisor.source.Sources;
import dev.skep.supervisor.view.Fleet;
import dev.skep.supervisor.view.History;
import dev.skep.transport.route.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** All routes of the supervisor. */
public final class SupervisorRoutes implements Route.Source {
    private final List<Route.Source> parts;

    /** What the routes read from. */
    public record Shelf(
            Sources sources,
            Fleet fleet,
            History history,
            AgentStore agents,
            CostSeriesStore costs) {}

    /** How operators' mail leaves; absent where the database is only looked at. */
    public record Mail(MailStore store, Function<Actor, AgentId> mailboxes) {}

    public SupervisorRoutes(
            Shelf shelf, LiveBoards boards, EventStream.Pace pace, Optional<Mail> mail) {
        Optional<ActionRoutes.Mailing> mailing =
                mail.map(m -> new ActionRoutes.Mailing(m.store(), m.mailboxes()::apply));
        this.parts =
                List.of(
                        new AboutRoutes(shelf.sources(), mail.isPresent(), pace.clock()),
                        new TopicRoutes(boards, shelf.history(), shelf.sources(), pace),
                        new HistoryRoutes(shelf.history()),
                        new CostRoutes(shelf.costs(), shelf.fleet(), pace.clock()),
                        new DetailRoutes(shelf.sources(), shelf.fleet(), shelf.agents()),
                        new WorkRoutes(shelf.sources()),
                        new RecordRoutes(shelf.sources(), shelf.fleet()),
                        new ActionRoutes(shelf.sources(), shelf.fleet(), mailing));
    }

    @Override
    public List<Route> routes() {
        List<Route> all = new ArrayList<>();
        parts.forEach(part -> all.addAll(part.routes()));
        return all;
    }
}
