package dev.skep.directory.link;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;

/** A hub's address, however it was written: {@code wss://hub/}, {@code https://hub}. */
public record HubUrl(String base) {
    private static final Set<String> SECURE = Set.of("https", "wss");
    private static final Set<String> SCHEMES = Set.of("https", "wss", "http", "ws");

    /**
     * Reads an address.
     *
     * @param plainAllowed whether a hub on another machine may be reached without TLS
     */
    public static HubUrl of(String text, boolean plainAllowed) {
        URI uri = address(text.strip());
        boolean secure = SECURE.contains(scheme(uri));
        if (!secure && !plainAllowed && !isLoopback(uri.getHost())) {
            throw new SkepException(
                    ErrorCode.BAD_CONFIGURATION,
                    "%s is on another machine and not secured by TLS; use https://, or allow it with SKEP_PLAIN=yes"
                            .formatted(text));
        }
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        String path = uri.getPath() == null ? "" : uri.getPath().replaceFirst("/+$", "");
        return new HubUrl(
                (secure ? "https://" : "http://")
                        + uri.getHost().toLowerCase(Locale.ROOT)
                        + port
                        + path);
    }

    private static URI address(String text) {
        try {
            URI uri = new URI(text);
            if (uri.getHost() != null && SCHEMES.contains(scheme(uri))) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Reported below like any other invalid URL.
        }
        throw new SkepException(
                ErrorCode.BAD_REQUEST,
                "\"%s\" is not the address of a hub; write for example https://hub.example.com:4280"
                        .formatted(text));
    }

    private static String scheme(URI uri) {
        return uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    }

    private static boolean isLoopback(String host) {
        try {
            return host.equals("localhost")
                    || InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
        } catch (IllegalArgumentException aName) {
            return false;
        }
    }

    /** Where the link's socket is. */
    public URI link() {
        return URI.create(base.replaceFirst("^http", "ws") + "/link");
    }

    @Override
    public String toString() {
        return base;
    }
}
