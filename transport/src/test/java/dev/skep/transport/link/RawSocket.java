package dev.skep.transport.link;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** A WebSocket by hand, for what no library would send. */
final class RawSocket implements AutoCloseable {
    private final Socket socket;
    private final DataOutputStream out;
    private final DataInputStream in;
    private final AtomicInteger poured = new AtomicInteger();

    private RawSocket(Socket socket) throws IOException {
        this.socket = socket;
        this.out = new DataOutputStream(socket.getOutputStream());
        this.in = new DataInputStream(socket.getInputStream());
    }

    static RawSocket open(int port, String bearer) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        RawSocket raw = new RawSocket(socket);
        raw.raw(
                """
                GET /link HTTP/1.1\r
                Host: 127.0.0.1:%d\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                Authorization: Bearer %s\r
                \r
                """
                        .formatted(port, bearer)
                        .getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append((char) raw.in.readUnsignedByte());
        }
        if (!head.toString().startsWith("HTTP/1.1 101")) {
            throw new IOException(head.toString());
        }
        return raw;
    }

    void text(String text) throws IOException {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        header(0x81, payload.length);
        raw(payload);
    }

    /** The start of a binary frame of the given length. */
    void binaryHeader(long length) throws IOException {
        header(0x82, length);
    }

    private void header(int first, long length) throws IOException {
        out.writeByte(first);
        // Always in the long form, masked with zeros.
        out.writeByte(0x80 | 127);
        out.writeLong(length);
        out.writeInt(0);
        out.flush();
    }

    void raw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** Sends zeros until so many are sent or the peer hangs up. */
    void pour(int bytes) {
        byte[] chunk = new byte[1 << 20];
        try {
            while (poured.get() < bytes) {
                raw(chunk);
                poured.addAndGet(chunk.length);
            }
        } catch (IOException hungUp) {
            // what was to be shown
        }
    }

    int poured() {
        return poured.get();
    }

    /** The next text message; pings are passed over. */
    String readText() throws IOException {
        while (true) {
            int first = in.readUnsignedByte();
            long length = in.readUnsignedByte() & 0x7f;
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = in.readLong();
            }
            byte[] payload = in.readNBytes((int) length);
            if ((first & 0x0f) == 1) {
                return new String(payload, StandardCharsets.UTF_8);
            }
            if ((first & 0x0f) == 8) {
                throw new IOException(
                        "closed: " + new String(payload, StandardCharsets.UTF_8).strip());
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
