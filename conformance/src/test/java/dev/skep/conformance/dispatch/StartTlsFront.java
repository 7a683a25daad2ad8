package dev.skep.conformance.dispatch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** Speaks STARTTLS in front of a mail server that cannot, and passes on what is said inside. */
final class StartTlsFront implements AutoCloseable {
    private final SSLContext tls;
    private final int behind;
    private final boolean offers;
    private final ServerSocket listening;
    private final List<String> open = new CopyOnWriteArrayList<>();

    StartTlsFront(SSLContext tls, int behind, boolean offers) throws IOException {
        this.tls = tls;
        this.behind = behind;
        this.offers = offers;
        this.listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::listen);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** What came before the connection was secret. */
    String saidInTheOpen() {
        return String.join("\n", open);
    }

    private void listen() {
        while (!listening.isClosed()) {
            try (Socket caller = listening.accept()) {
                serve(caller);
            } catch (IOException e) {
                // closed, by either side
            }
        }
    }

    private void serve(Socket caller) throws IOException {
        OutputStream out = caller.getOutputStream();
        InputStream in = caller.getInputStream();
        say(out, "220 front");
        open.add(line(in));
        say(out, offers ? "250-front\r\n250 STARTTLS" : "250 front");
        String next = line(in);
        open.add(next);
        if (!next.equals("STARTTLS")) {
            return;
        }
        say(out, "220 go ahead");
        try (SSLSocket inside =
                        (SSLSocket) tls.getSocketFactory().createSocket(caller, null, false);
                Socket server = new Socket(InetAddress.getLoopbackAddress(), behind)) {
            inside.setUseClientMode(false);
            inside.startHandshake();
            line(server.getInputStream());
            Thread.ofVirtual().start(() -> copy(inside, server));
            server.getInputStream().transferTo(inside.getOutputStream());
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // one of them is gone
        }
    }

    private static void say(OutputStream out, String text) throws IOException {
        out.write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Byte by byte, so that nothing of what follows is taken. */
    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
