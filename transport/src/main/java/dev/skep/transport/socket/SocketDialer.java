package dev.skep.transport.socket;

import dev.skep.kernel.lifecycle.Component;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpClientTransport;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.exceptions.UpgradeException;
import org.eclipse.jetty.websocket.client.ClientUpgradeRequest;
import org.eclipse.jetty.websocket.client.WebSocketClient;
import org.jspecify.annotations.Nullable;

/** Opens WebSockets to other programs' servers. Thread-safe. */
public final class SocketDialer implements Component {
    private static final int THREADS = 8;

    private final Duration patience;
    private final Supplier<SSLContext> trust;
    private final SocketKeepAlive socketKeepAlive;
    private @Nullable WebSocketClient started;
    private boolean closed;

    /** The result of dialling; after a connection the handler receives everything else. */
    public enum Dialled {
        CONNECTED,
        UNREACHABLE,
        NO_RESPONSE,
        INVALID_RESPONSE
    }

    /** An outcome and, unless connected, one line about it for people. */
    public record Outcome(Dialled dialled, String why) {}

    /** Trusts the certificates that this process trusts. */
    public SocketDialer(SocketLimits limits, Duration patience) {
        this(limits, patience, SocketDialer::trustOfProcess);
    }

    public SocketDialer(SocketLimits limits, Duration patience, Supplier<SSLContext> trust) {
        this.patience = patience;
        this.trust = trust;
        this.socketKeepAlive = new SocketKeepAlive(limits);
    }

    private static SSLContext trustOfProcess() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no TLS", e);
        }
    }

    private HttpClient http() {
        // Handlers run on virtual threads; these only select, and come when needed.
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
        threads.setName("socket-dialer");
        threads.setDaemon(true);
        threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        ClientConnector connector = new ClientConnector();
        connector.setSelectors(1);
        SslContextFactory.Client ssl = new SslContextFactory.Client();
        ssl.setSslContext(trust.get());
        connector.setSslContextFactory(ssl);
        HttpClient http = new EachDialAlone(new HttpClientTransportOverHTTP(connector));
        http.setExecutor(threads);
        http.setConnectTimeout(patience.toMillis());
        http.setFollowRedirects(false);
        http.setHttpCookieStore(new HttpCookieStore.Empty());
        http.setDestinationIdleTimeout(TimeUnit.MINUTES.toMillis(1));
        return http;
    }

    @Override
    public void start() {
        socketKeepAlive.start();
    }

    /**
     * Made for the first dial: it reads all certificates this machine trusts, a tenth of a second
     * that no start of the program should wait for.
     */
    private synchronized WebSocketClient client() throws IOException {
        if (closed) {
            throw new IOException("the program is shutting down");
        }
        if (started == null) {
            WebSocketClient client = new WebSocketClient(http());
            try {
                client.start();
            } catch (Exception e) {
                throw new IOException("the WebSocket client did not start", e);
            }
            started = client;
        }
        return started;
    }

    /** Dials an address, by number, and waits for the outcome. */
    public Outcome dial(InetSocketAddress address, SocketHandler handler)
            throws InterruptedException {
        try {
            open(uri(address), Map.of(), handler);
            return new Outcome(Dialled.CONNECTED, "");
        } catch (IOException e) {
            return failed(e);
        }
    }

    /**
     * Opens a socket and waits until it is open; redirects are not followed.
     *
     * @throws IOException with what the library threw as its cause
     */
    public void open(URI uri, Map<String, String> headers, SocketHandler handler)
            throws IOException, InterruptedException {
        ClientUpgradeRequest request = new ClientUpgradeRequest(uri);
        headers.forEach(request::setHeader);
        request.setTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
        // No compression, as on the other end.
        request.setExtensions(List.of());
        SocketEndpoint endpoint = socketKeepAlive.keep(handler);
        boolean isOpen = false;
        try {
            open(endpoint, request);
            isOpen = true;
        } finally {
            if (!isOpen) {
                socketKeepAlive.drop(endpoint);
            }
        }
    }

    private void open(SocketEndpoint endpoint, ClientUpgradeRequest request)
            throws IOException, InterruptedException {
        CompletableFuture<Session> opening = client().connect(endpoint, request);
        try {
            opening.get();
        } catch (ExecutionException e) {
            throw new IOException("no socket", e.getCause());
        } catch (InterruptedException e) {
            // A socket that opens after this has no owner.
            var _ = opening.thenAccept(Session::disconnect);
            throw e;
        }
    }

    /**
     * Gives each dial its own connection pool: a shared pool opens more connections than needed
     * when several dial one address at once, and an agent would see a connection that stays silent.
     */
    @SuppressWarnings("try") // the library's close() may throw anything; it is stopped, not closed
    private static final class EachDialAlone extends HttpClient {
        EachDialAlone(HttpClientTransport transport) {
            super(transport);
        }

        @Override
        public Request newRequest(URI uri) {
            return super.newRequest(uri).tag(new Object());
        }
    }

    private static Outcome failed(IOException failure) {
        String why = line(failure);
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException || cause instanceof SocketTimeoutException) {
                return new Outcome(Dialled.UNREACHABLE, line(cause));
            }
            if (cause instanceof UpgradeException refused && refused.getResponseStatusCode() > 0) {
                return new Outcome(Dialled.INVALID_RESPONSE, line(cause));
            }
            why = line(cause);
        }
        return new Outcome(Dialled.NO_RESPONSE, why);
    }

    private static String line(Throwable failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }

    private static URI uri(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return URI.create(
                "ws://%s:%d/"
                        .formatted(
                                host.contains(":") ? "[" + host + "]" : host, address.getPort()));
    }

    @Override
    public void close() {
        socketKeepAlive.close();
        stop();
    }

    private synchronized void stop() {
        closed = true;
        try {
            if (started != null) {
                started.stop();
            }
        } catch (Exception e) {
            throw new IllegalStateException("the WebSocket client did not stop", e);
        }
    }
}
