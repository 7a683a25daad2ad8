package dev.skep.app.assembly;

import dev.skep.app.admin.AdminFile;
import dev.skep.app.config.Configuration;
import dev.skep.directory.routes.SignInLink;
import dev.skep.directory.secret.Secrets;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.transport.http.HealthRoutes;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Dispatch;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The ways into a process: its listener, and the door for this machine's command line. */
public final class Doors {
    private final Listener listener;
    private final DirectoryAssembly people;

    private Doors(Listener listener, DirectoryAssembly people) {
        this.listener = listener;
        this.people = people;
    }

    /** Opens the listener last of all: whoever gets an answer finds everything behind it. */
    public static Doors open(
            Lifecycle lifecycle,
            Configuration configuration,
            ListenerConfig listening,
            DirectoryAssembly people,
            List<Route> features,
            Listener.Mounts mounts) {
        var random = new SecureRandom();
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        List<Route> routes = new ArrayList<>(people.routes());
        routes.addAll(features);
        routes.addAll(new HealthRoutes(registry, Map.of()).routes());
        String secret = new Secrets(random).key("admin");
        var dispatch =
                new Dispatch(
                        new RouteTable(routes),
                        people.directory().authentication(Optional.of(secret)));
        Listener listener =
                lifecycle.start(
                        "listener",
                        new Listener(
                                listening, dispatch, mounts, new RequestMeter(registry), random));
        lifecycle.own(
                "admin file",
                AdminFile.write(configuration.dataDir(), listener.localUrl(), secret));
        return new Doors(listener, people);
    }

    /** Where this machine reaches the listener. */
    public String localUrl() {
        return listener.localUrl();
    }

    /** What a person at the terminal should know. */
    public List<String> told() {
        List<String> lines = new ArrayList<>(List.of("listening on " + listener.url()));
        Actor local = Actor.local(people.directory().host().org());
        people.directory()
                .operators()
                .firstSignIn(local)
                .ifPresent(
                        first ->
                                lines.add(
                                        "sign in once, within the hour: "
                                                + listener.url()
                                                + SignInLink.path(first.linkSecret())));
        return lines;
    }
}
