package dev.skep.transport.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;

/** A connection that says exactly what it is told, right or wrong. */
final class RawHttp implements AutoCloseable {
    private final Socket socket;

    RawHttp(Listener listener) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        socket.setSoTimeout(20_000);
    }

    /** Sends it and reads to the end of the connection, which it asks for. */
    static String exchange(Listener listener, String request) throws IOException {
        try (RawHttp http = new RawHttp(listener)) {
            http.send(request);
            http.socket.shutdownOutput();
            return http.rest();
        }
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    }

    /** What comes until the other side closes; also what came before it broke. */
    String rest() throws IOException {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        try {
            for (int next = in.read(); next >= 0; next = in.read()) {
                received.write(next);
            }
        } catch (SocketException reset) {
            // it was cut off
        }
        return received.toString(ISO_8859_1);
    }

    /** The status of one answer whose body ends with a line of its own or is JSON. */
    String answer(String end) throws IOException {
        StringBuilder received = new StringBuilder();
        InputStream in = socket.getInputStream();
        while (received.indexOf(end) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed after: " + received);
            }
            received.append((char) next);
        }
        return received.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
