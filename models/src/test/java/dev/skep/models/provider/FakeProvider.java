package dev.skep.models.provider;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A provider on loopback that speaks raw HTTP/1.1, well or badly as a test wants. */
public final class FakeProvider implements AutoCloseable {
    /** What a client sent. */
    public record Seen(String requestLine, Map<String, String> headers, String body) {}

    /** Writes an answer; returning closes the connection. */
    public interface Answer {
        void write(OutputStream out) throws IOException;
    }

    /** Chooses an answer by what was asked. */
    public interface Answering {
        Answer to(Seen request) throws IOException;
    }

    private final ServerSocket server;
    private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    private final CountDownLatch hungUp = new CountDownLatch(1);
    private volatile Answering answering;

    FakeProvider(Answer answer) {
        this(_ -> answer);
    }

    public FakeProvider(Answering answering) {
        this.answering = answering;
        try {
            this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::acceptAll);
    }

    void answer(Answer changed) {
        answering = _ -> changed;
    }

    public String address() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/v1";
    }

    public Seen nextRequest() throws InterruptedException {
        Seen request = seen.poll(10, TimeUnit.SECONDS);
        if (request == null) {
            throw new AssertionError("no request came");
        }
        return request;
    }

    /** Whether a client closed its connection while it was being kept waiting. */
    boolean sawHangUp() throws InterruptedException {
        return hungUp.await(10, TimeUnit.SECONDS);
    }

    private void acceptAll() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            Seen request = read(in);
            seen.add(request);
            try {
                answering.to(request).write(client.getOutputStream());
                client.getOutputStream().flush();
            } catch (Held held) {
                if (in.read() < 0) {
                    hungUp.countDown();
                }
            }
        } catch (IOException reset) {
            hungUp.countDown();
        }
    }

    private static Seen read(InputStream in) throws IOException {
        String first = line(in);
        Map<String, String> headers = new HashMap<>();
        String header = line(in);
        while (!header.isEmpty()) {
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
            header = line(in);
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Seen(first, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        int c = in.read();
        while (c >= 0 && c != '\n') {
            if (c != '\r') {
                line.append((char) c);
            }
            c = in.read();
        }
        return line.toString();
    }

    static Answer status(int status, String headers, String body) {
        return out ->
                out.write(
                        "HTTP/1.1 %d Said\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                                .formatted(
                                        status,
                                        headers,
                                        body.getBytes(StandardCharsets.UTF_8).length,
                                        body)
                                .getBytes(StandardCharsets.UTF_8));
    }

    /** A whole stream. */
    public static Answer stream(String events) {
        return out -> {
            begin(out);
            chunk(out, events);
            out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        };
    }

    /** Closes the connection in the middle. */
    static Answer cut(String events) {
        return out -> {
            begin(out);
            chunk(out, events);
        };
    }

    /** Ends the response properly, but too early. */
    static Answer ended(String events) {
        return stream(events);
    }

    /** Sends the events, then nothing, until the client gives up. */
    static Answer stalled(String events) {
        return out -> {
            begin(out);
            chunk(out, events);
            throw new Held();
        };
    }

    /** Reads the request, then nothing, until the client gives up. */
    public static Answer silent() {
        return out -> {
            throw new Held();
        };
    }

    /** Says that the connection closes: a client would ask the next thing over one that is gone. */
    private static void begin(OutputStream out) throws IOException {
        out.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
    }

    private static void chunk(OutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        // in two pieces, the first of which ends inside an event
        int half = bytes.length / 2;
        for (byte[] piece :
                new byte[][] {
                    java.util.Arrays.copyOfRange(bytes, 0, half),
                    java.util.Arrays.copyOfRange(bytes, half, bytes.length)
                }) {
            if (piece.length > 0) {
                out.write(
                        (Integer.toHexString(piece.length) + "\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                out.write(piece);
                out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The connection is kept open with nothing more to say. */
    private static final class Held extends IOException {
        private static final long serialVersionUID = 1L;
    }
}
