package dev.skep.dispatch;

import dev.skep.dispatch.assembly.DispatchConfig;
import dev.skep.dispatch.assembly.HubDispatch;
import dev.skep.dispatch.host.StatusRules;
import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.dispatch.routes.EventSockets;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.hub.PlainLinks;
import dev.skep.testkit.hub.PlainWords;
import dev.skep.transport.call.CallServer;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.link.LinkProtocols;
import dev.skep.transport.link.LinkServer;
import dev.skep.transport.openapi.OpenApi;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketAcceptor;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A hub with its listener on a free port; its callers are {@link PlainWords}. */
public final class DispatchTestHub implements AutoCloseable {
    public static final String ORG = "default";

    public final Database database;
    public final HubDispatch dispatch;
    public final EventBus eventBus = new EventBus();
    public final List<String> audited = Collections.synchronizedList(new ArrayList<>());
    private final LinkServer links;
    private final SocketEndpoints linkSockets;
    private final SocketEndpoints eventSockets;
    private final Listener listener;
    private final RouteTable table;
    private final HttpClient client = HttpClient.newHttpClient();

    public DispatchTestHub(Path folder) {
        this(folder, 0, Optional.empty(), QueueSettings.STANDARD);
    }

    public DispatchTestHub(Path folder, int port, Optional<String> queueUrl, QueueSettings leases) {
        this(folder, new DatabaseUrl.Sqlite(folder.resolve("hub.db")), port, queueUrl, leases);
    }

    /** One of the processes on a database. */
    public DispatchTestHub(Path folder, DatabaseUrl url) {
        this(folder, url, 0, Optional.empty(), QueueSettings.STANDARD);
    }

    private DispatchTestHub(
            Path folder,
            DatabaseUrl url,
            int port,
            Optional<String> queueUrl,
            QueueSettings leases) {
        InstantSource clock = InstantSource.system();
        SecureRandom random = new SecureRandom();
        database = Databases.open(url, clock);
        dispatch =
                new HubDispatch(
                        database,
                        eventBus,
                        (tx, actor, action, target, detail) -> audited.add(action),
                        new HubDispatch.Sources(
                                new UlidSource(clock, random), clock, clock, random, "hub"),
                        new DispatchConfig(
                                queueUrl,
                                folder.resolve("secrets.key"),
                                true,
                                StatusRules.STANDARD,
                                leases));
        List<Route> routes = new ArrayList<>(dispatch.routes());
        routes.addAll(new OpenApi(() -> List.copyOf(routes)).routes());
        table = new RouteTable(routes);
        Router answers = new Router(table, new PlainWords());
        ListenerConfig config = ListenerConfig.loopback(port);
        links =
                new LinkServer(
                        PlainLinks.linkAcceptor(),
                        new LinkProtocols<>(List.of(new CallServer(table))));
        linkSockets = sockets(config, LinkServer.PATH, links, LinkServer.LIMITS);
        eventSockets =
                sockets(
                        config,
                        EventSockets.PATHS,
                        new EventSockets(dispatch.events(), answers),
                        SocketLimits.USUAL);
        listener =
                new Listener(
                        config,
                        answers,
                        new Listener.Mounts(List.of(), List.of(linkSockets, eventSockets)),
                        new RequestMeter(new Metrics()),
                        random);
        dispatch.start();
        linkSockets.start();
        eventSockets.start();
        listener.start();
    }

    private static SocketEndpoints sockets(
            ListenerConfig config,
            String paths,
            SocketAcceptor socketAcceptor,
            SocketLimits limits) {
        return new SocketEndpoints(
                new BrowserGuard(config), List.of(paths), socketAcceptor, limits);
    }

    public RouteTable table() {
        return table;
    }

    public String url() {
        return listener.url();
    }

    /** An answer; its body as fields where it is an object. */
    public record Answer(int status, String body) {
        public JsonFields fields() {
            return Json.fields(body);
        }

        public String code() {
            return fields().text("code");
        }
    }

    public Answer get(String token, String path) {
        return call("GET", token, path, null);
    }

    public Answer post(String token, String path, Map<String, ?> body) {
        return call("POST", token, path, body);
    }

    public Answer call(String method, String token, String path, @Nullable Map<String, ?> body) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url() + path))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .method(
                                method,
                                body == null
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofByteArray(Json.bytes(body)))
                        .build();
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public HttpClient client() {
        return client;
    }

    /** Makes a host known by its first beat. */
    public void beat(String host) {
        Answer answer = post("host:" + ORG + ":" + host, "/api/agent/heartbeat", Map.of());
        if (answer.status() != 200) {
            throw new IllegalStateException(answer.body());
        }
    }

    /** The id of a new job of the host {@code h1}. */
    public String create() {
        Map<String, Object> job =
                Map.of("hostId", "h1", "type", "shell", "payload", Map.of("command", "true"));
        return post("operator:" + ORG, "/api/orgs/" + ORG + "/jobs", job).fields().text("id");
    }

    @Override
    public void close() {
        try {
            dispatch.openAnswers().close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        links.closeAll();
        client.shutdownNow();
        listener.close();
        linkSockets.close();
        eventSockets.close();
        dispatch.close();
        database.close();
    }
}
