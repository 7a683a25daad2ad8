package dev.skep.testkit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket of our own, frame by frame over a plain socket, as client or server: it can do all
 * that the protocol allows, and what it forbids. Reading and writing may be done by two threads.
 */
public final class RawWebSocket implements Closeable {
    public static final int CONTINUATION = 0;
    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;

    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int BUFFER = 1 << 16;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final boolean masks;

    /** A frame as it came. */
    @SuppressWarnings("ArrayRecordComponent") // frames are read, never compared
    public record Frame(int opcode, boolean last, byte[] payload) {
        public String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        /** The code of a close frame; 1005 if it has none. */
        public int code() {
            return payload.length < 2 ? 1005 : ByteBuffer.wrap(payload).getShort() & 0xffff;
        }
    }

    /** An upgrade that was not accepted. */
    public static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;
        private final int status;
        private final String body;

        Refused(int status, String body) {
            super(status + " " + body);
            this.status = status;
            this.body = body;
        }

        public int status() {
            return status;
        }

        public String body() {
            return body;
        }
    }

    private RawWebSocket(Socket socket, boolean masks) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
        this.out = new BufferedOutputStream(socket.getOutputStream(), BUFFER);
        this.masks = masks;
        socket.setTcpNoDelay(true);
    }

    /** Connects to a server on this machine; headers are whole lines. */
    public static RawWebSocket connect(int port, String path, String... headers)
            throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        RawWebSocket client = new RawWebSocket(socket, true);
        StringBuilder request =
                new StringBuilder()
                        .append("GET ")
                        .append(path)
                        .append(" HTTP/1.1\r\n")
                        .append("Host: localhost:")
                        .append(port)
                        .append("\r\n")
                        .append("Upgrade: websocket\r\nConnection: Upgrade\r\n")
                        .append("Sec-WebSocket-Version: 13\r\n")
                        .append("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        client.raw(request.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
        int status = Integer.parseInt(client.line().split(" ", 3)[1]);
        int length = 0;
        for (String line = client.line(); !line.isEmpty(); line = client.line()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        if (status != 101) {
            String body = new String(client.in.readNBytes(length), StandardCharsets.UTF_8);
            client.close();
            throw new Refused(status, body);
        }
        return client;
    }

    /** Accepts an incoming connection, as the server, and agrees to the upgrade. */
    public static RawWebSocket accept(Socket socket) throws IOException {
        RawWebSocket server = new RawWebSocket(socket, false);
        String key = "";
        for (String line = server.line(); !line.isEmpty(); line = server.line()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:")) {
                key = line.substring(line.indexOf(':') + 1).strip();
            }
        }
        String answer =
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: "
                        + proof(key)
                        + "\r\n\r\n";
        server.raw(answer.getBytes(StandardCharsets.UTF_8));
        return server;
    }

    private static String proof(String key) {
        try {
            return Base64.getEncoder()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-1")
                                    .digest((key + GUID).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    public void text(String text) throws IOException {
        send(TEXT, true, text.getBytes(StandardCharsets.UTF_8));
    }

    public void binary(byte[] bytes) throws IOException {
        send(BINARY, true, bytes);
    }

    public void ping() throws IOException {
        send(PING, true, new byte[0]);
    }

    /** Says goodbye; 1005 without a code. */
    public void goodbye(int code) throws IOException {
        byte[] payload =
                code == 1005 ? new byte[0] : ByteBuffer.allocate(2).putShort((short) code).array();
        send(CLOSE, true, payload);
    }

    public void send(int opcode, boolean last, byte[] payload) throws IOException {
        put(opcode, last, payload);
        synchronized (out) {
            out.flush();
        }
    }

    /** Writes a frame into the buffer; {@link #flush} sends it, or a full buffer does. */
    public void put(int opcode, boolean last, byte[] payload) throws IOException {
        byte[] header = header(opcode, last, payload.length);
        synchronized (out) {
            out.write(header);
            // A mask of zeros leaves the payload as it is.
            out.write(payload);
        }
    }

    public void flush() throws IOException {
        synchronized (out) {
            out.flush();
        }
    }

    private byte[] header(int opcode, boolean last, int length) {
        ByteBuffer header = ByteBuffer.allocate(14);
        header.put((byte) ((last ? 0x80 : 0) | opcode));
        int mask = masks ? 0x80 : 0;
        if (length < 126) {
            header.put((byte) (mask | length));
        } else if (length < 1 << 16) {
            header.put((byte) (mask | 126)).putShort((short) length);
        } else {
            header.put((byte) (mask | 127)).putLong(length);
        }
        if (masks) {
            header.putInt(0);
        }
        byte[] bytes = new byte[header.position()];
        header.flip().get(bytes);
        return bytes;
    }

    /** Writes bytes as they are, for what is no frame. */
    public void raw(byte[] bytes) throws IOException {
        synchronized (out) {
            out.write(bytes);
            out.flush();
        }
    }

    /** The next frame; throws at the end of the connection. */
    public Frame read() throws IOException {
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        long length = second & 0x7f;
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = in.readLong();
        }
        int mask = (second & 0x80) == 0 ? 0 : in.readInt();
        byte[] payload = in.readNBytes(Math.toIntExact(length));
        if (mask != 0) {
            for (int i = 0; i < payload.length; i++) {
                payload[i] ^= (byte) (mask >>> (24 - 8 * (i & 3)));
            }
        }
        return new Frame(first & 0x0f, (first & 0x80) != 0, payload);
    }

    /** The next whole message or close frame, pings answered on the way; null at the end. */
    public @Nullable Frame message() throws IOException {
        ByteArrayOutputStream parts = null;
        int opcode = 0;
        try {
            while (true) {
                Frame frame = read();
                if (frame.opcode() == PING) {
                    send(PONG, true, frame.payload());
                } else if (frame.opcode() == CLOSE) {
                    return frame;
                } else if (frame.opcode() != PONG) {
                    if (parts == null && frame.last()) {
                        return frame;
                    }
                    if (parts == null) {
                        parts = new ByteArrayOutputStream();
                        opcode = frame.opcode();
                    }
                    parts.write(frame.payload());
                    if (frame.last()) {
                        return new Frame(opcode, true, parts.toByteArray());
                    }
                }
            }
        } catch (IOException end) {
            return null;
        }
    }

    public Socket socket() {
        return socket;
    }

    @Override
    public void close() {
        cut();
    }

    /** Ends the connection without a goodbye. */
    public void cut() {
        try {
            socket.close();
        } catch (IOException e) {
            // it is gone, which is what was wanted
        }
    }
}
