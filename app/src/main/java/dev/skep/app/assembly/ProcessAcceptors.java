package dev.skep.app.assembly;

import dev.skep.app.mcp.McpRoutes;
import dev.skep.cli.admin.AdminFile;
import dev.skep.directory.routes.SignInLink;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.dispatch.routes.OpenApi;
import dev.skep.kernel.identity.Actor;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.HealthRoutes;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.Mount;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketAcceptor;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketLimits;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ways into a process: its listener, and the door for this machine's command line. */
final class ProcessAcceptors {
    private final ProcessContext around;
    private final DirectoryAssembly people;
    private final SecureRandom random = new SecureRandom();
    private final String adminSecret = new SecretGenerator(random).key("admin");
    private final Router router;
    private final List<SocketEndpoints> sockets = new ArrayList<>();
    private final List<Mount> mounts = new ArrayList<>();
    private @Nullable Listener listener;

    /**
     * Nothing is open yet.
     *
     * @param hosts whose databases must take writes before this process counts as ready
     */
    ProcessAcceptors(
            ProcessContext around,
            DirectoryAssembly people,
            List<Route> features,
            List<HostProcess> hosts) {
        this.around = around;
        this.people = people;
        List<Route> routes = new ArrayList<>(people.routes());
        routes.addAll(features);
        routes.addAll(new HealthRoutes(around.meters(), DatabaseReadiness.of(hosts)).routes());
        routes.addAll(new McpRoutes(this::router, around.version()).routes());
        routes.addAll(new OpenApi(() -> List.copyOf(routes)).routes());
        this.router =
                new Router(
                        new RouteTable(routes),
                        people.directory().authentication(Optional.of(adminSecret)));
    }

    /** Answers requests by the whole table. */
    Router router() {
        return router;
    }

    /** Sockets as this listener has them; to be mounted. */
    SocketEndpoints sockets(String paths, SocketAcceptor socketAcceptor, SocketLimits limits) {
        return new SocketEndpoints(
                new BrowserGuard(around.configuration().listener()),
                List.of(paths),
                socketAcceptor,
                limits);
    }

    void mount(SocketEndpoints endpoints) {
        sockets.add(endpoints);
        mounts.add(endpoints);
    }

    void mount(Mount pages) {
        mounts.add(pages);
    }

    /** Opens the listener last of all: whoever gets an answer finds everything behind it. */
    void open() {
        Listener opened =
                around.lifecycle()
                        .start(
                                "listener",
                                new Listener(
                                        around.configuration().listener(),
                                        router,
                                        new Listener.Mounts(List.of(), mounts),
                                        new RequestMeter(around.meters()),
                                        random));
        // After the listener, so that they say goodbye before it closes.
        sockets.forEach(endpoints -> around.lifecycle().start("sockets", endpoints));
        around.lifecycle()
                .own(
                        "admin file",
                        AdminFile.write(
                                around.configuration().dataDir(),
                                new AdminFile.Address(
                                        opened.localUrl(), publicUrl(opened), adminSecret)));
        listener = opened;
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

    int port() {
        return opened().port();
    }

    /** Where this machine reaches the listener. */
    String localUrl() {
        return opened().localUrl();
    }

    /** Where other machines reach it. */
    String publicUrl() {
        return publicUrl(opened());
    }

    /** Where this machine opens it and, if that is another address, where others do. */
    private String whereFrom() {
        String here = opened().url();
        return here.equals(publicUrl()) ? here : here + ", for other machines " + publicUrl();
    }

    /**
     * What a person at the terminal should know.
     *
     * @param pages whether there is something to sign in to
     */
    List<String> describe(boolean pages) {
        List<String> lines = new ArrayList<>(List.of("listening on " + whereFrom()));
        if (pages) {
            Actor local = Actor.local(people.directory().host().org());
            people.directory()
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
