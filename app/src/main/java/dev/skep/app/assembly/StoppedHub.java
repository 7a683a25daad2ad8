package dev.skep.app.assembly;

import dev.skep.agents.AgentStore;
import dev.skep.app.adapter.LiveAgentCounts;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.module.HostProcess;
import dev.skep.dispatch.assembly.HubDispatch;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.identity.Role;
import dev.skep.sync.routes.TakeoverRoutes;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What can be asked about jobs, servers and hosts while no hub runs: what is stored. */
final class StoppedHub {
    private static final Route ADOPT =
            new Route(
                    HttpMethod.POST,
                    TakeoverRoutes.ADOPT,
                    Access.operators(Role.ADMIN),
                    OrgScope.PATH,
                    StoppedHub::refuse);

    private StoppedHub() {}

    static List<Route> routes(
            Configuration configuration, HostProcess hub, Directory directory, EventBus eventBus) {
        // Never started, and without the queue server: reading needs neither.
        var dispatch =
                new HubDispatch(
                        hub.database(),
                        eventBus,
                        directory.audit()::record,
                        new LiveAgentCounts(
                                new AgentStore(
                                        hub.database(), hub.host().ownRowWriter(), hub.clock())),
                        _ -> false,
                        new HubDispatch.Sources(
                                hub.ids(),
                                SystemTime.clock(),
                                SystemTime.clock(),
                                new SecureRandom(),
                                hub.host().id().value()),
                        ModuleConfigs.dispatch(configuration, Optional.empty()));
        Stream<Route> readable = dispatch.routes().stream().map(StoppedHub::readable);
        return Stream.concat(readable, Stream.of(ADOPT)).toList();
    }

    private static Route readable(Route route) {
        return route.method() == HttpMethod.GET ? route : route.handledBy(StoppedHub::refuse);
    }

    private static Response refuse(Request request) {
        throw new SkepException(
                ErrorCode.HUB_UNREACHABLE,
                "no hub is running here; start it with 'skep up' or 'skep hub'");
    }
}
