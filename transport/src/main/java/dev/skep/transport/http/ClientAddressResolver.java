package dev.skep.transport.http;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/**
 * Determines the client of each request before anything else reads it: from then on the remote
 * address is the client's, in limits, the audit and logs alike.
 */
public final class ClientAddressResolver implements HttpConfiguration.Customizer {
    private static final String PROXIED = "skep.proxied";

    /** Headers that show that a proxy forwarded the request. */
    private static final List<String> SIGNS =
            List.of(
                    "X-Forwarded-For",
                    "Forwarded",
                    "X-Forwarded-Host",
                    "X-Forwarded-Proto",
                    "X-Real-IP",
                    "Via");

    private static final String OVER_TLS = "skep.proxied.tls";

    private final TrustedProxies trusted;

    ClientAddressResolver(TrustedProxies trusted) {
        this.trusted = trusted;
    }

    /**
     * Whether a request was made on this machine: a client behind a proxy never was, also where the
     * proxy is.
     */
    public static boolean isOnThisMachine(HttpServletRequest request) {
        return request.getAttribute(PROXIED) == null
                && Loopback.isLoopback(request.getRemoteAddr());
    }

    /** Whether it came over TLS: to us, or to a trusted proxy that says so. */
    static boolean isOverTls(HttpServletRequest request) {
        return request.isSecure() || request.getAttribute(OVER_TLS) != null;
    }

    /** Its connection is a socket from now on, which has an end of its own. */
    public static void hasSocket(HttpServletRequest request) {
        ConnectionLimiter.upgraded(request);
    }

    @Override
    public Request customize(Request request, HttpFields.Mutable responseHeaders) {
        HttpFields headers = request.getHeaders();
        if (SIGNS.stream().noneMatch(headers::contains)) {
            return request;
        }
        request.setAttribute(PROXIED, true);
        String peer = Request.getRemoteAddr(request);
        if (trusted.has(peer) && "https".equalsIgnoreCase(headers.get("X-Forwarded-Proto"))) {
            request.setAttribute(OVER_TLS, true);
        }
        String client = trusted.client(peer, headers.getValuesList("X-Forwarded-For"));
        return client.equals(Loopback.withoutBrackets(peer)) ? request : from(request, client);
    }

    private static Request from(Request request, String client) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral(client), 0);
        ConnectionMetaData connection =
                new ConnectionMetaData.Wrapper(request.getConnectionMetaData()) {
                    @Override
                    public SocketAddress getRemoteSocketAddress() {
                        return address;
                    }
                };
        return new Request.Wrapper(request) {
            @Override
            public ConnectionMetaData getConnectionMetaData() {
                return connection;
            }
        };
    }
}
