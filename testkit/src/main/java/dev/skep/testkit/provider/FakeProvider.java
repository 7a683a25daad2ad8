package dev.skep.testkit.provider;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A provider on loopback, plain HTTP/1.1, on all four wires. {@code url:} of a models.yaml is
 * {@link #address()} with {@code /v1} (Google: {@code /v1beta}).
 */
public final class FakeProvider implements AutoCloseable {
    static {
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private static final Duration PING = Duration.ofMillis(20);

    /** A call and what was charged for it. */
    public record Charged(ProviderCall call, ProviderUsage usage) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<ProviderCall> calls = new CopyOnWriteArrayList<>();
    private final List<Charged> charged = new CopyOnWriteArrayList<>();
    private final CountDownLatch hungUp = new CountDownLatch(1);
    private volatile ProviderScript script;
    private volatile boolean closed;

    public FakeProvider(ProviderScript script) {
        this.script = script;
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 256);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    /** {@code http://127.0.0.1:PORT}. */
    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public void follow(ProviderScript changed) {
        script = changed;
    }

    /** All that was sent here, in order. */
    public List<ProviderCall> calls() {
        return List.copyOf(calls);
    }

    /** Those that were charged for. */
    public List<Charged> charged() {
        return List.copyOf(charged);
    }

    /** Whether a client left while it was kept waiting. */
    public boolean sawHangUp() throws InterruptedException {
        return hungUp.await(10, TimeUnit.SECONDS);
    }

    /** An exception closes the connection as it is, without an end of the answer. */
    private void serve(HttpExchange exchange) throws IOException {
        ProviderCall call = read(exchange);
        calls.add(call);
        FakeWire wire = call.wire();
        if (wire == null) {
            beside(exchange, call);
            return;
        }
        switch (script.answer(call)) {
            case ProviderAnswer.Plain plain -> plain(exchange, plain);
            case ProviderAnswer.Reply reply -> {
                charged.add(new Charged(call, reply.usage()));
                reply(exchange, call, WireEvents.of(wire), reply);
            }
            case ProviderAnswer.Cut(var text, var usage) -> {
                charged.add(new Charged(call, usage));
                begun(begin(exchange, call), call, WireEvents.of(wire), text, usage);
                throw new IOException("cut");
            }
            case ProviderAnswer.Hang(var text, var usage) -> {
                charged.add(new Charged(call, usage));
                OutputStream out = begin(exchange, call);
                begun(out, call, WireEvents.of(wire), text, usage);
                hang(out);
            }
        }
    }

    private static ProviderCall read(HttpExchange exchange) throws IOException {
        byte[] raw = exchange.getRequestBody().readAllBytes();
        Map<String, String> headers = new ConcurrentHashMap<>();
        exchange.getRequestHeaders()
                .forEach(
                        (name, values) ->
                                headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
        String path = exchange.getRequestURI().getPath();
        String text = new String(raw, StandardCharsets.UTF_8);
        return new ProviderCall(
                FakeWire.of(path),
                exchange.getRequestMethod(),
                path,
                exchange.getRequestURI().getQuery(),
                Map.copyOf(headers),
                text,
                text.isBlank() ? null : JsonText.read(text));
    }

    /** What costs nothing. */
    private static void beside(HttpExchange exchange, ProviderCall call) throws IOException {
        String body =
                switch (call.path()) {
                    case String path when path.endsWith("/count_tokens") ->
                            "{\"input_tokens\":%d}".formatted(call.bytes());
                    case String path when path.endsWith(":countTokens") ->
                            "{\"totalTokens\":%d}".formatted(call.bytes());
                    default -> "{\"object\":\"list\",\"data\":[],\"models\":[]}";
                };
        plain(exchange, new ProviderAnswer.Plain(200, Map.of(), body));
    }

    private static void plain(HttpExchange exchange, ProviderAnswer.Plain plain)
            throws IOException {
        exchange.getResponseHeaders().set("content-type", "application/json");
        plain.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
        byte[] body = plain.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(plain.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.getResponseBody().close();
    }

    private static void reply(
            HttpExchange exchange, ProviderCall call, WireEvents events, ProviderAnswer.Reply reply)
            throws IOException {
        if (!call.streams()) {
            plain(exchange, new ProviderAnswer.Plain(200, Map.of(), events.whole(call, reply)));
            return;
        }
        try (OutputStream out = begin(exchange, call)) {
            for (String event : events.all(call, reply)) {
                if (!reply.pause().isZero()) {
                    LockSupport.parkNanos(reply.pause().toNanos());
                }
                send(out, event);
            }
        }
    }

    private static OutputStream begin(HttpExchange exchange, ProviderCall call) throws IOException {
        exchange.getResponseHeaders()
                .set("content-type", call.streams() ? "text/event-stream" : "application/json");
        exchange.sendResponseHeaders(200, 0);
        return exchange.getResponseBody();
    }

    private static void begun(
            OutputStream out,
            ProviderCall call,
            WireEvents events,
            String text,
            ProviderUsage usage)
            throws IOException {
        var reply = new ProviderAnswer.Reply(text, List.of(), usage, Duration.ZERO);
        for (String event : events.beginning(call, reply)) {
            send(out, event);
        }
    }

    private void hang(OutputStream out) throws IOException {
        try {
            while (!closed) {
                LockSupport.parkNanos(PING.toNanos());
                send(out, ": still here\n\n");
            }
        } catch (IOException left) {
            hungUp.countDown();
            throw left;
        }
    }

    private static void send(OutputStream out, String event) throws IOException {
        out.write(event.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Override
    public void close() {
        closed = true;
        server.stop(0);
        threads.shutdownNow();
    }
}
