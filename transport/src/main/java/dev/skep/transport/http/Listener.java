package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Router;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinBindException;
import io.javalin.util.JavalinException;
import io.javalin.util.JavalinLogger;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process's one HTTP server. Everything it serves is given before it starts. */
public final class Listener implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    private final ListenerConfig config;
    private final Router router;
    private final Mounts mounts;
    private final RequestMeter meter;
    private final HttpExchangeAdapter exchange;
    private final BrowserGuard guard;
    private final RateLimit rate;
    private final Optional<Tls> tls;
    private final ConnectionLimiter connectionLimiter;
    private @Nullable Javalin server;
    private final PeriodicTask sweeping;

    /**
     * What is served besides the route table.
     *
     * @param others what needs the library itself, for example static files
     */
    public record Mounts(List<SocketRoute> sockets, List<Mount> others) {
        public static final Mounts NONE = new Mounts(List.of(), List.of());

        public Mounts {
            sockets = List.copyOf(sockets);
            others = List.copyOf(others);
        }
    }

    public Listener(
            ListenerConfig config,
            Router router,
            Mounts mounts,
            RequestMeter meter,
            SecureRandom random) {
        this.config = config;
        this.router = router;
        this.mounts = mounts;
        this.meter = meter;
        this.exchange = new HttpExchangeAdapter(router, config);
        this.guard = new BrowserGuard(config);
        this.rate =
                new RateLimit(
                        config.limits().perSecond(),
                        Duration.ofSeconds(1),
                        config.limits().burst(),
                        System::nanoTime);
        this.tls = config.tls().map(files -> new Tls(files, random));
        this.connectionLimiter =
                new ConnectionLimiter(config.connections(), config.proxies(), System::nanoTime);
        this.sweeping =
                new PeriodicTask(
                        "overdue-connections",
                        Duration.ofSeconds(1),
                        connectionLimiter::closeOverdue);
    }

    @Override
    public void start() {
        // Javalin would log the failure that is thrown.
        JavalinLogger.enabled = false;
        try {
            server = Javalin.create(this::configure).start();
        } catch (JavalinBindException e) {
            throw new SkepException(
                    ErrorCode.PORT_IN_USE,
                    "port %d on %s is in use; stop the other program or choose another with --listen"
                            .formatted(config.port(), config.address()),
                    e);
        } finally {
            JavalinLogger.enabled = true;
        }
        tls.ifPresent(Tls::start);
        sweeping.start();
    }

    /** How many connections are open. */
    public int connections() {
        return connectionLimiter.count();
    }

    /** The port in use, also where any free one was asked for. */
    public int port() {
        if (server == null) {
            throw new IllegalStateException("the listener has not started");
        }
        return server.port();
    }

    /** How this machine's command line reaches the listener: always plain, always loopback. */
    public String localUrl() {
        if (server == null) {
            throw new IllegalStateException("the listener has not started");
        }
        Connector last = List.of(server.jettyServer().server().getConnectors()).getLast();
        int local = ((ServerConnector) last).getLocalPort();
        String host = ((ServerConnector) last).getHost();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + local;
    }

    /** How others reach the listener. */
    public String url() {
        String host = config.address().equals("0.0.0.0") ? "127.0.0.1" : config.address();
        return (tls.isPresent() ? "https://" : "http://") + host + ":" + port();
    }

    /** Looks for a renewed certificate now instead of within seconds. */
    public void reloadCertificate() {
        tls.ifPresent(Tls::reloadIfChanged);
    }

    @Override
    public void close() {
        tls.ifPresent(Tls::close);
        sweeping.close();
        if (server != null) {
            try {
                server.stop();
            } catch (JavalinException cut) {
                // Everything is stopped; this only reports that requests were still running.
                LOG.info("listener closed while requests were open");
            }
        }
    }

    private void configure(JavalinConfig javalin) {
        JettySetup.apply(javalin, config, tls, connectionLimiter);
        config.cookie()
                .ifPresent(
                        name ->
                                javalin.jetty.modifyServletContextHandler(
                                        context -> SessionCookie.name(context, name)));
        javalin.routes.before(this::admit);
        javalin.routes.wsBeforeUpgrade(this::admitSocket);
        Handler answer = meter.timed(router, exchange::answer);
        for (String root : router.table().roots()) {
            for (String path : List.of("/" + root, "/" + root + "/*")) {
                javalin.routes.get(path, answer);
                javalin.routes.post(path, answer);
                javalin.routes.put(path, answer);
                javalin.routes.patch(path, answer);
                javalin.routes.delete(path, answer);
            }
        }
        for (SocketRoute socket : mounts.sockets()) {
            javalin.routes.wsBeforeUpgrade(socket.path(), context -> judge(socket, context));
            javalin.routes.ws(socket.path(), socket.handlers());
        }
        mounts.others().forEach(mount -> mount.accept(javalin));
        javalin.routes.exception(
                Exception.class,
                (failure, context) -> sendProblem(context, exchange.problem(context, failure)));
        javalin.routes.exception(
                HttpResponseException.class,
                (failure, context) -> sendProblem(context, HttpProblems.of(failure.getStatus())));
    }

    /** Everything passes here first, static files included. */
    private void admit(Context context) {
        new SecurityHeaders(tls.isPresent()).set(context);
        boolean tooMany = !rate.take(CidrBlock.counted(context.req().getRemoteAddr()));
        if (tooMany && !isWelcomeAnyway(context)) {
            throw new SkepException(
                    ErrorCode.TOO_MANY_REQUESTS, "too many requests from one address; slow down");
        }
        if (HealthRoutes.PROBES.contains(context.path())) {
            return;
        }
        Authority host = guard.checkHost(context.header("Host"));
        boolean unsafe =
                !context.method().name().equals(HttpMethod.GET.name())
                        && !context.method().name().equals("HEAD");
        if (unsafe) {
            guard.checkOrigin(context.header("Origin"), host);
        }
    }

    /**
     * A client that authenticates is served even if others at the same address used up the limit.
     */
    private boolean isWelcomeAnyway(Context context) {
        return router.hasOwnRateLimit(context.method().name(), context.path())
                || router.isAuthenticated(HttpExchangeAdapter.credentials(context));
    }

    private void admitSocket(Context context) {
        admit(context);
        guard.checkOrigin(context.header("Origin"), guard.checkHost(context.header("Host")));
    }

    private void judge(SocketRoute socket, Context context) {
        Actor actor =
                router.authorize(
                        socket.access(),
                        socket.scope(),
                        context.pathParamMap(),
                        HttpExchangeAdapter.credentials(context));
        context.attribute(SocketRoute.ACTOR, actor);
        ConnectionLimiter.upgraded(context.req());
    }

    private void sendProblem(Context context, Problem problem) {
        try {
            exchange.send(context, problem.response());
        } catch (IOException clientGone) {
            // the client is gone
        }
    }
}
