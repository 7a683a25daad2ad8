package dev.skep.transport.loopback;

import dev.skep.transport.http.Loopback;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection: its requests, one after the other. */
final class LoopbackConnection {
    private static final Logger LOG = LoggerFactory.getLogger(LoopbackConnection.class);
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final int WORTH_DRAINING = 64 << 10;
    private static final long WORTH_READING_OFF = 16L << 20;
    private static final Duration HANGING_UP = Duration.ofSeconds(1);
    private static final int READ_BUFFER = 16 << 10;
    private static final byte[] CONTINUE =
            "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Socket socket;
    private final Function<String, Optional<LoopbackHandler>> handlers;
    private final long longestBody;
    private volatile @Nullable StreamedExchange current;

    LoopbackConnection(
            Socket socket, Function<String, Optional<LoopbackHandler>> handlers, long longestBody) {
        this.socket = socket;
        this.handlers = handlers;
        this.longestBody = longestBody;
    }

    void run() {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) IDLE.toMillis());
            PushbackInputStream in =
                    new PushbackInputStream(
                            new BufferedInputStream(socket.getInputStream(), READ_BUFFER));
            OutputStream out = socket.getOutputStream();
            while (another(in, out)) {
                LOG.trace("another request may follow");
            }
            hangUp(in);
        } catch (IOException e) {
            LOG.debug("loopback connection ended", e);
        }
    }

    /**
     * A socket that is closed on bytes nobody read resets the connection, and the client may lose
     * the answer that is on its way: what it still sends is read off, within bounds.
     */
    private void hangUp(InputStream in) throws IOException {
        if (socket.isClosed()) {
            return;
        }
        socket.shutdownOutput();
        socket.setSoTimeout((int) HANGING_UP.toMillis());
        long end = System.nanoTime() + HANGING_UP.toNanos();
        byte[] unread = new byte[READ_BUFFER];
        long left = WORTH_READING_OFF;
        int read = 0;
        while (read >= 0 && left > 0 && System.nanoTime() < end) {
            read = in.read(unread);
            left -= read;
        }
    }

    /** Ends what is under way. */
    void close() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("loopback connection did not close cleanly", e);
        }
        StreamedExchange exchange = current;
        if (exchange != null) {
            exchange.gone();
        }
    }

    private boolean another(PushbackInputStream in, OutputStream out) throws IOException {
        RequestHead head;
        try {
            Optional<RequestHead> read = RequestHead.read(in);
            if (read.isEmpty()) {
                return false;
            }
            head = read.get();
            check(head);
        } catch (MalformedRequestException e) {
            refuse(out, e.status(), e.getMessage());
            return false;
        } catch (SocketTimeoutException e) {
            return false;
        }
        Optional<LoopbackHandler> handler = handlers.apply(head.path());
        if (handler.isEmpty()) {
            refuse(out, 404, "nothing is here");
            return false;
        }
        return handle(handler.get(), head, in, out);
    }

    private boolean handle(
            LoopbackHandler handler, RequestHead head, PushbackInputStream in, OutputStream out)
            throws IOException {
        boolean invited = "100-continue".equalsIgnoreCase(head.headers().get("expect"));
        RequestBody body =
                new RequestBody(in, head.length(), longestBody, invited ? () -> invite(out) : null);
        StreamedExchange exchange = new StreamedExchange(head, body, in, out);
        current = exchange;
        if (socket.isClosed()) {
            exchange.gone();
        }
        try {
            handler.handle(exchange);
            exchange.finish();
        } catch (IOException | RuntimeException e) {
            failed(e, exchange, out);
            return false;
        } finally {
            current = null;
            exchange.over();
        }
        return head.keepAlive() && body.drained(WORTH_DRAINING) && exchange.clientStays();
    }

    private static void failed(Exception e, StreamedExchange exchange, OutputStream out)
            throws IOException {
        if (exchange.answered()) {
            LOG.debug("an answer on loopback was cut off", e);
            return;
        }
        switch (e) {
            case BodyTooLongException long_ -> refuse(out, 413, long_.getMessage());
            case MalformedRequestException malformed ->
                    refuse(out, malformed.status(), malformed.getMessage());
            case IOException _ -> LOG.debug("a request on loopback was given up", e);
            default -> {
                LOG.error("a handler of loopback failed", e);
                refuse(out, 500, "the request could not be answered");
            }
        }
    }

    private static void check(RequestHead head) throws MalformedRequestException {
        String host = head.headers().getOrDefault("host", "");
        // A page in a browser may have a name that leads here; its requests carry that name.
        if (!Loopback.isLoopback(host.replaceFirst(":[0-9]{1,5}$", ""))) {
            throw new MalformedRequestException(403, "this address is for this machine only");
        }
        if ("websocket".equalsIgnoreCase(head.headers().get("upgrade"))) {
            throw new MalformedRequestException(426, "no WebSocket here; send a plain request");
        }
    }

    private static void invite(OutputStream out) throws IOException {
        out.write(CONTINUE);
        out.flush();
    }

    private static void refuse(OutputStream out, int status, @Nullable String words)
            throws IOException {
        byte[] text = (words + "\n").getBytes(StandardCharsets.UTF_8);
        ResponseStream response =
                new ResponseStream(
                        out,
                        status,
                        Map.of(
                                "content-type",
                                "text/plain; charset=utf-8",
                                "content-length",
                                Integer.toString(text.length)),
                        false,
                        false);
        response.write(text);
        response.finish();
    }
}
