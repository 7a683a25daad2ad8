package dev.skep.benchmark.dispatch;

import dev.skep.dispatch.assembly.DispatchConfig;
import dev.skep.dispatch.assembly.HubDispatch;
import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.dispatch.host.StatusRules;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.hub.PlainLinks;
import dev.skep.testkit.hub.PlainWords;
import dev.skep.transport.call.CallClient;
import dev.skep.transport.call.CallServer;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.RequestLimits;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.link.LinkDialer;
import dev.skep.transport.link.LinkProtocols;
import dev.skep.transport.link.LinkServer;
import dev.skep.transport.route.Json;
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
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A hub's dispatch behind its listener; tokens are plain words here. */
public final class HttpHub implements AutoCloseable {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final Database database;
    private final HubDispatch dispatch;
    private final LinkServer links;
    private final SocketEndpoints linkSockets;
    private final Listener listener;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<LinkDialer> dialers = new ArrayList<>();

    public HttpHub(Path folder) {
        SecureRandom random = new SecureRandom();
        database = Databases.open(new DatabaseUrl.Sqlite(folder.resolve("hub.db")), CLOCK);
        dispatch =
                new HubDispatch(
                        database,
                        new EventBus(),
                        (transaction, actor, action, target, detail) -> {},
                        new HubDispatch.Sources(
                                new UlidSource(CLOCK, random), CLOCK, CLOCK, random, "hub"),
                        new DispatchConfig(
                                Optional.empty(),
                                folder.resolve("secrets.key"),
                                true,
                                StatusRules.STANDARD));
        RouteTable table = new RouteTable(dispatch.routes());
        Router answers = new Router(table, new PlainWords());
        ListenerConfig config =
                ListenerConfig.loopback(0)
                        .with(
                                new RequestLimits(
                                        RequestLimits.USUAL.bodyBytes(), 1_000_000, 1_000_000));
        links =
                new LinkServer(
                        PlainLinks.linkAcceptor(),
                        new LinkProtocols<>(List.of(new CallServer(table))));
        linkSockets = sockets(config, LinkServer.PATH, links, LinkServer.LIMITS);
        listener =
                new Listener(
                        config,
                        answers,
                        new Listener.Mounts(List.of(), List.of(linkSockets)),
                        new RequestMeter(new Metrics()),
                        random);
        dispatch.start();
        linkSockets.start();
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

    public void knowHosts(int count) {
        List<HostId> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hosts.add(new HostId("f" + i));
        }
        database.write(
                tx -> {
                    new HostHealthStore().admit(tx, BenchmarkHub.ORG, hosts, CLOCK.instant());
                    return true;
                });
    }

    public String url() {
        return listener.url();
    }

    /** Opens a link of a host and returns what it calls the hub by. */
    public CallClient link(String ticket) throws InterruptedException {
        CallClient calls = new CallClient();
        LinkDialer dialer = PlainLinks.dialer(listener.url(), ticket, calls);
        dialers.add(dialer);
        dialer.start();
        while (calls.post("/api/agent/heartbeat", "{}", WAIT, false).isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return calls;
    }

    public HttpResponse<String> post(String token, String path, Map<String, ?> body) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(listener.url() + path))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(Json.bytes(body)))
                        .build();
        return send(request);
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IllegalStateException(answer.body());
            }
            return answer;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public void delete(String token, String path) {
        send(
                HttpRequest.newBuilder(URI.create(listener.url() + path))
                        .header("Authorization", "Bearer " + token)
                        .DELETE()
                        .build());
    }

    @Override
    public void close() {
        try {
            dispatch.openAnswers().close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        dialers.forEach(LinkDialer::close);
        links.closeAll();
        client.shutdownNow();
        listener.close();
        linkSockets.close();
        dispatch.close();
        database.close();
    }
}
