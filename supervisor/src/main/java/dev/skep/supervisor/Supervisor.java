package dev.skep.supervisor;

import dev.skep.agents.AgentStore;
import dev.skep.agents.mail.MailStore;
import dev.skep.agents.version.AgentVersionStore;
import dev.skep.agents.view.AgentListStore;
import dev.skep.agents.view.CostSeriesStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.live.EventStream;
import dev.skep.supervisor.live.LiveBoards;
import dev.skep.supervisor.routes.SupervisorRoutes;
import dev.skep.supervisor.routes.SupervisorSite;
import dev.skep.supervisor.source.Sources;
import dev.skep.supervisor.view.AttentionList;
import dev.skep.supervisor.view.DispatchReader;
import dev.skep.supervisor.view.FleetReader;
import dev.skep.supervisor.view.FleetTotals;
import dev.skep.supervisor.view.HistoryReader;
import dev.skep.transport.http.WebPages;
import dev.skep.transport.route.Route;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Shows and steers the fleet of one database, its own or another process's. It is closed before the
 * listener: its streams end, and the listener need not wait for them.
 */
public final class Supervisor implements AutoCloseable {
    private static final Set<String> LINKS = Set.of("links");

    private final LiveBoards boards;
    private final SupervisorRoutes routes;

    /** Time as this process sees it. */
    public record Time(InstantSource clock, LongSupplier nanoTime, UlidSource ids) {}

    /** This process as a host. */
    public record Self(HostId id, String name) {}

    /**
     * Operators' mail, where this process may write it.
     *
     * @param names what an operator is called in mail
     */
    public record Mail(MailStore store, Self self, Function<Principal, String> names) {}

    public Supervisor(
            Database database,
            AgentStore agents,
            AgentVersionStore versions,
            Sources sources,
            Optional<Mail> mail,
            Time time) {
        var changes = new AtomicLong();
        FleetReader fleet =
                new FleetReader(
                        sources,
                        new AgentListStore(database),
                        time.clock(),
                        changes::get,
                        time.nanoTime());
        HistoryReader history = new HistoryReader(fleet, database);
        Optional<DispatchReader> dispatch =
                sources.dispatches()
                        ? Optional.of(new DispatchReader(database, fleet))
                        : Optional.empty();
        AttentionList attention =
                new AttentionList(
                        sources, fleet, dispatch, time.clock(), changes::get, time.nanoTime());
        FleetTotals totals = new FleetTotals(fleet, dispatch, history, attention);
        this.boards =
                new LiveBoards(
                        Topics.of(sources, fleet, history, dispatch, totals, attention),
                        changes,
                        time.clock(),
                        time.nanoTime());
        String process = time.ids().next().substring(10).toLowerCase(Locale.ROOT);
        this.routes =
                new SupervisorRoutes(
                        new SupervisorRoutes.RouteSources(
                                database,
                                sources,
                                fleet,
                                history,
                                dispatch,
                                agents,
                                versions,
                                new CostSeriesStore(database)),
                        boards,
                        new EventStream.Pace(time.clock(), time.nanoTime(), process),
                        mail.map(m -> outgoing(m, agents, time)));
    }

    private static SupervisorRoutes.Mail outgoing(Mail mail, AgentStore agents, Time time) {
        var mailboxes =
                new OperatorMailboxes(agents, mail.self(), time.ids(), time.clock(), mail.names());
        return new SupervisorRoutes.Mail(mail.store(), mailboxes::of);
    }

    public List<Route> routes() {
        return routes.routes();
    }

    /** The pages, for the listener. */
    public static WebPages pages() {
        var site = new SupervisorSite();
        // Beside the rest of the start: the first browser would wait for it.
        Thread.ofVirtual().name("pages").start(site::page);
        return new WebPages(site);
    }

    /** The tables that were written to, by whatever process; none named means any. */
    public void written(Set<String> tables) {
        boards.touch(tables);
    }

    /** A link opened, closed or moved data, which is in no table. */
    public void linksMoved() {
        boards.touch(LINKS);
    }

    @Override
    public void close() {
        boards.close();
    }
}
