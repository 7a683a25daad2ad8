package dev.skep.transport.http;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides whether a URL leads to this listener. A name counts if the operator configured it; a
 * literal address only if the request's own connection came to it. The Host header is no evidence:
 * anyone who passes on another's request can write it.
 */
final class ListenerAddresses {
    private final Set<String> names;

    ListenerAddresses(ListenerConfig config) {
        this.names =
                config.names().stream()
                        .map(name -> Loopback.withoutBrackets(name.toLowerCase(Locale.ROOT)))
                        .collect(Collectors.toUnmodifiableSet());
    }

    boolean isOwn(String url, HttpServletRequest request) {
        try {
            URI uri = new URI(url);
            if (uri.getHost() == null || uri.getScheme() == null) {
                return false;
            }
            String host = Loopback.withoutBrackets(uri.getHost());
            return names.contains(host)
                    || (port(uri) == request.getLocalPort() && isAt(host, request.getLocalAddr()));
        } catch (URISyntaxException notAnAddress) {
            return false;
        }
    }

    private static boolean isAt(String host, String local) {
        if (host.equals("localhost")) {
            return Loopback.isLoopback(local);
        }
        return Loopback.isLiteral(host)
                && Loopback.isLiteral(local)
                && InetAddress.ofLiteral(host)
                        .equals(InetAddress.ofLiteral(Loopback.withoutBrackets(local)));
    }

    private static int port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return uri.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }
}
