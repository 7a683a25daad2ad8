package dev.skep.app.assembly;

import dev.skep.app.mcp.McpRoutes;
import dev.skep.cli.admin.AdminFile;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.module.ProcessAddress;
import dev.skep.directory.routes.SignInLink;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.kernel.identity.Actor;
import dev.skep.transport.http.HealthRoutes;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Mount;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.http.SessionCookie;
import dev.skep.transport.openapi.OpenApi;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketEndpoints;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The entrances of a process: its listener, and the admin file for this machine's command line. */
final class ProcessAcceptors {
    private final ProcessContext around;
    private final Directory directory;
    private final SecureRandom random = new SecureRandom();
    private final String adminSecret = new SecretGenerator(random).key("admin");
    private final Router router;
    private final List<SocketEndpoints> sockets;
    private final List<Mount> mounts;
    private @Nullable Listener listener;

    /**
     * Nothing is open yet.
     *
     * @param modules whose routes, sockets and pages there are
     * @param more routes that are no module's
     * @param hosts whose databases must take writes before this process counts as ready
     */
    ProcessAcceptors(
            ProcessContext around,
            Directory directory,
            List<FeatureModule> modules,
            List<Route> more,
            List<HostProcess> hosts) {
        this.around = around;
        this.directory = directory;
        List<Route> routes = new ArrayList<>(more);
        modules.forEach(module -> routes.addAll(module.routes()));
        routes.addAll(new HealthRoutes(around.meters(), DatabaseReadiness.of(hosts)).routes());
        routes.addAll(new McpRoutes(this::router, around.version()).routes());
        routes.addAll(new OpenApi(() -> List.copyOf(routes)).routes());
        this.router =
                new Router(
                        new RouteTable(routes), directory.authentication(Optional.of(adminSecret)));
        ListenerConfig config = around.configuration().listener();
        this.sockets =
                modules.stream()
                        .flatMap(module -> module.sockets(config, router).stream())
                        .toList();
        this.mounts = new ArrayList<>(sockets);
        modules.forEach(module -> mounts.addAll(module.pages()));
    }

    /** Answers requests by the whole table. */
    private Router router() {
        return router;
    }

    /** Opens the listener last, so that everything behind it is ready. */
    ProcessAddress open() {
        Listener opened =
                around.lifecycle()
                        .start(
                                "listener",
                                new Listener(
                                        around.configuration()
                                                .listener()
                                                .withCookie(
                                                        SessionCookie.nameFor(
                                                                directory.host().id().value())),
                                        router,
                                        new Listener.Mounts(List.of(), mounts),
                                        new RequestMeter(around.meters()),
                                        random));
        // After the listener, so that they close before it does.
        sockets.forEach(endpoints -> around.lifecycle().start("sockets", endpoints));
        around.lifecycle()
                .own(
                        "admin file",
                        AdminFile.write(
                                around.configuration().dataDir(),
                                new AdminFile.Address(
                                        opened.localUrl(), publicUrl(opened), adminSecret)));
        listener = opened;
        return new ProcessAddress(opened.port(), opened.localUrl(), publicUrl(opened));
    }

    private Listener opened() {
        if (listener == null) {
            throw new IllegalStateException("the listener is not open yet");
        }
        return listener;
    }

    private String publicUrl(Listener opened) {
        return PublicUrl.of(around.configuration(), opened.port());
    }

    /** Where this machine opens it and, if that is another address, where others do. */
    private String whereFrom() {
        String here = opened().url();
        String elsewhere = publicUrl(opened());
        return here.equals(elsewhere) ? here : here + ", for other machines " + elsewhere;
    }

    /**
     * What a person at the terminal should know.
     *
     * @param pages whether there is something to sign in to
     */
    List<String> describe(boolean pages) {
        List<String> lines = new ArrayList<>(List.of("listening on " + whereFrom()));
        if (pages) {
            Actor local = Actor.local(directory.host().org());
            directory
                    .operatorService()
                    .firstSignIn(local)
                    .ifPresent(
                            first ->
                                    lines.add(
                                            "sign in once, within the hour: "
                                                    + publicUrl(opened())
                                                    + SignInLink.path(first.linkSecret())));
        }
        return lines;
    }
}
