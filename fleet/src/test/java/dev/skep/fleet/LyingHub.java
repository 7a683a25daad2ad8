package dev.skep.fleet;

import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.sync.SyncSchema;
import dev.skep.testkit.hub.PlainLinks;
import dev.skep.transport.call.CallServer;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.link.Link;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.link.LinkProtocolHandler;
import dev.skep.transport.link.LinkProtocols;
import dev.skep.transport.link.LinkServer;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.wire.DecodedMessage;
import dev.skep.wire.Frame;
import dev.skep.wire.Message;
import dev.skep.wire.Message.SyncRequest;
import dev.skep.wire.MessageCodec;
import dev.skep.wire.MessageRows;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A hub that lets every host in, speaks the link as ours does, and makes up whatever it is told to:
 * grants, rows, heals and jobs. It stores nothing.
 */
final class LyingHub implements AutoCloseable {
    private static final int PATIENCE = 60;

    final String url;
    private final SyncSchema schema;
    private final MessageCodec codec;
    private final Lifecycle lifecycle = new Lifecycle();
    private final AtomicLong numbers = new AtomicLong();
    private final CompletableFuture<Link> caughtUp = new CompletableFuture<>();
    private final Map<Long, CompletableFuture<Message>> asked = new ConcurrentHashMap<>();
    private final BlockingQueue<Map<String, Object>> jobs = new LinkedBlockingQueue<>();
    private final Map<String, CompletableFuture<JsonFields>> results = new ConcurrentHashMap<>();
    private final CompletableFuture<List<String>> allows = new CompletableFuture<>();
    private final AtomicLong cursor = new AtomicLong(1);

    /** Knows the tables by their descriptions. */
    LyingHub(SyncSchema schema) {
        this.schema = schema;
        this.codec = new MessageCodec(schema.tables()::named);
        LinkServer links =
                new LinkServer(
                        PlainLinks.linkAcceptor(),
                        new LinkProtocols<>(
                                List.of(
                                        new Sync(),
                                        new CallServer(new RouteTable(calls(Access.hosts()))))));
        ListenerConfig config = ListenerConfig.loopback(0);
        SocketEndpoints sockets =
                new SocketEndpoints(
                        new BrowserGuard(config),
                        List.of(LinkServer.PATH),
                        links,
                        LinkServer.LIMITS);
        Listener listener =
                new Listener(
                        config,
                        new Router(new RouteTable(door()), Authenticator.NOBODY),
                        new Listener.Mounts(List.of(), List.of(sockets)),
                        new RequestMeter(new Metrics()),
                        new SecureRandom());
        lifecycle.start("listener", listener);
        lifecycle.start("sockets", sockets);
        lifecycle.own("links", links::closeAll);
        this.url = listener.url();
    }

    private List<Route> door() {
        return List.of(
                open(
                        "/api/link/challenge",
                        _ -> Response.json(Map.of("hubId", "liar", "nonce", "n"))),
                open(
                        "/api/link/enrol",
                        _ -> Response.json(Map.of("hubId", "liar", "org", "default"))),
                open("/api/link/token", LyingHub::token));
    }

    private static Response token(Request request) {
        return Response.json(
                Map.of(
                        "token",
                        "host:default:" + request.fields().text("hostId"),
                        "expiresInSeconds",
                        300,
                        "clockOffSeconds",
                        0,
                        "rotate",
                        false));
    }

    private static Route open(String path, Route.Handler handler) {
        return new Route(HttpMethod.POST, path, Access.anyone(), OrgScope.NONE, handler);
    }

    private List<Route> calls(Access access) {
        return List.of(
                new Route(
                        HttpMethod.POST,
                        "/api/agent/heartbeat",
                        access,
                        OrgScope.CALLER,
                        this::beat),
                new Route(
                        HttpMethod.POST,
                        "/api/agent/jobs/next",
                        access,
                        OrgScope.CALLER,
                        this::next),
                new Route(
                        HttpMethod.POST,
                        "/api/agent/runs/{run}/output",
                        access,
                        OrgScope.CALLER,
                        _ -> Response.json(Map.of())),
                new Route(
                        HttpMethod.POST,
                        "/api/agent/runs/{run}/result",
                        access,
                        OrgScope.CALLER,
                        this::result));
    }

    private Response beat(Request request) {
        allows.complete(request.fields().textList("allows"));
        return Response.json(Map.of("intervalSeconds", 10, "runs", List.of()));
    }

    private Response next(Request request) {
        try {
            Map<String, Object> job = jobs.poll(5, TimeUnit.SECONDS);
            return job == null ? Response.json(204, Map.of()) : Response.json(job);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Response.json(204, Map.of());
        }
    }

    private Response result(Request request) {
        CompletableFuture<JsonFields> waiting = results.get(request.parameter("run"));
        if (waiting != null) {
            waiting.complete(request.fields());
        }
        return Response.json(Map.of("settlement", "done"));
    }

    /** What the host told it to be allowed. */
    List<String> allows() {
        return got(allows);
    }

    /** Has the host do a job, and returns what became of it: its status and what was said. */
    String job(String type, Map<String, ?> payload) {
        String run = "run-" + numbers.incrementAndGet();
        CompletableFuture<JsonFields> ended = new CompletableFuture<>();
        results.put(run, ended);
        jobs.add(
                Map.of(
                        "jobId", "job-" + run,
                        "jobRunId", run,
                        "type", type,
                        "payload", payload,
                        "attempt", 1));
        JsonFields told = got(ended);
        return told.text("status") + " " + told.json("result").orElse("");
    }

    /** Tells the host rows of others. */
    void forward(MessageRows rows) {
        long reached = cursor.incrementAndGet();
        say(new Message.Forwards(rows, reached, reached), null, List.of());
    }

    void grant(String agent, long generation) {
        say(null, null, List.of(new Message.Grant(agent, generation)));
    }

    /** Tells the host that it has lost rows, so that it asks for them, and which. */
    void heal(MessageRows rows, long head) {
        got(caughtUp).urgent(Frame.of(request(head, null, null, List.of())));
        say(null, new Message.Heal(rows, head, false), List.of());
        // And says that all is well again, or the host would wait for more.
        say(null, null, List.of());
    }

    /** Returns when the host has done with it. */
    private void say(
            Message.@Nullable Forwards forwards,
            Message.@Nullable Heal heal,
            List<Message.Grant> grants) {
        CompletableFuture<Message> answer = new CompletableFuture<>();
        SyncRequest request = request(0, forwards, heal, grants);
        asked.put(request.reqId(), answer);
        got(caughtUp).urgent(Frame.of(request));
        got(answer);
    }

    private SyncRequest request(
            long head,
            Message.@Nullable Forwards forwards,
            Message.@Nullable Heal heal,
            List<Message.Grant> grants) {
        return new SyncRequest(
                numbers.incrementAndGet(),
                schema.version(),
                0,
                false,
                0,
                0,
                head,
                Map.of(),
                forwards,
                heal,
                List.of(),
                grants);
    }

    private static <T> T got(CompletableFuture<T> awaited) {
        try {
            return awaited.get(PATIENCE, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the host did not answer", e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        lifecycle.close();
    }

    /** The hub's end of sync, without anything behind it. */
    private final class Sync implements LinkProtocol<Principal.Host> {
        @Override
        public Set<String> types() {
            return MessageCodec.TYPES;
        }

        @Override
        public Set<Byte> tags() {
            return Set.of(Frame.COMPRESSED);
        }

        @Override
        public LinkProtocolHandler open(Principal.Host host, Link link) {
            return new LinkProtocolHandler() {
                @Override
                public void received(Frame frame) {
                    if (codec.decode(frame) instanceof DecodedMessage.Read(Message message)) {
                        heard(link, message);
                    }
                }

                @Override
                public void closed(String reason) {}
            };
        }

        private void heard(Link link, Message message) {
            switch (message) {
                case Message.CatchUp _ -> {
                    link.urgent(
                            Frame.of(
                                    new Message.CatchUpResponse(
                                            MessageRows.NONE, 1, 1, false, false)));
                    caughtUp.complete(link);
                }
                case Message.SyncResponse answer -> {
                    CompletableFuture<Message> waiting = asked.remove(answer.reqId());
                    if (waiting != null) {
                        waiting.complete(answer);
                    }
                }
                default -> {}
            }
        }
    }
}
