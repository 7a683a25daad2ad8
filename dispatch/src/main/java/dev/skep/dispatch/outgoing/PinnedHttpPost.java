package dev.skep.dispatch.outgoing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSocket;

/**
 * One POST to an address that was checked before: HTTP/1.1, no redirects, one answer, connection
 * closed.
 */
public final class PinnedHttpPost {
    private static final int LONGEST_ANSWER = 64 * 1024;

    private final PinnedSocket sockets;

    public PinnedHttpPost(PinnedSocket sockets) {
        this.sockets = sockets;
    }

    /** What came back. */
    public record Answer(int status, Map<String, String> headers, String body) {}

    public Answer post(URI url, Map<String, String> headers, String body) throws IOException {
        boolean secure = "https".equalsIgnoreCase(url.getScheme());
        String host = url.getHost();
        int port = url.getPort() >= 0 ? url.getPort() : secure ? 443 : 80;
        try (Socket plain = sockets.open(host, port)) {
            if (!secure) {
                return exchange(plain, url, headers, body);
            }
            try (SSLSocket tls = sockets.secured(plain, host, port)) {
                return exchange(tls, url, headers, body);
            }
        }
    }

    private static Answer exchange(Socket socket, URI url, Map<String, String> headers, String body)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String path = Optional.ofNullable(url.getRawPath()).filter(p -> !p.isEmpty()).orElse("/");
        StringBuilder head = new StringBuilder();
        head.append("POST ").append(path);
        if (url.getRawQuery() != null) {
            head.append('?').append(url.getRawQuery());
        }
        head.append(" HTTP/1.1\r\nHost: ").append(url.getRawAuthority());
        head.append("\r\nUser-Agent: skep\r\nContent-Type: application/json\r\nConnection: close");
        head.append("\r\nContent-Length: ").append(bytes.length).append("\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        OutputStream out = socket.getOutputStream();
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        out.write(bytes);
        out.flush();
        return answer(new BufferedInputStream(socket.getInputStream()));
    }

    private static Answer answer(InputStream in) throws IOException {
        String[] status = line(in).split(" ", 3);
        if (status.length < 2 || !status[0].startsWith("HTTP/")) {
            throw new IOException("the answer is not HTTP");
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        try {
            // Chunk sizes may be left in it: only a hint is looked for in the body.
            String body = new String(in.readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8);
            return new Answer(Integer.parseInt(status[1]), headers, body);
        } catch (NumberFormatException e) {
            throw new IOException("the answer is not HTTP", e);
        }
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.size() > LONGEST_ANSWER) {
                throw new IOException("the answer ended early");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.ISO_8859_1).strip();
    }
}
