package dev.skep.transport.http;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;

/**
 * The proxies whose statements about their clients are believed. If none are named, the header is
 * ignored and the sender itself is the client.
 */
public record TrustedProxies(Set<CidrBlock> networks) {
    public static final TrustedProxies NONE = new TrustedProxies(Set.of());

    public TrustedProxies {
        networks = Set.copyOf(networks);
    }

    /** Whether a peer is one of them. */
    boolean has(String address) {
        String bare = withoutScope(Loopback.withoutBrackets(address));
        return Loopback.isLiteral(bare) && has(InetAddress.ofLiteral(bare));
    }

    private boolean has(InetAddress address) {
        return networks.stream().anyMatch(cidrBlock -> cidrBlock.contains(address));
    }

    /**
     * The client's address: the peer or, if the peer is a trusted proxy, the address it forwards
     * for. Each proxy appends its client, so the last address that is no trusted proxy is the
     * client; the client may have forged the ones before it.
     *
     * @param forwardedFor the values of X-Forwarded-For, in their order
     */
    String client(String peer, List<String> forwardedFor) {
        String client = Loopback.withoutBrackets(peer);
        List<String> hops = List.of(String.join(",", forwardedFor).split(",", -1)).reversed();
        for (String hop : hops) {
            String address = withoutPort(hop.strip());
            if (!has(client) || !Loopback.isLiteral(address)) {
                return client;
            }
            client = InetAddress.ofLiteral(address).getHostAddress();
        }
        return client;
    }

    /** Some proxies add the port their client comes from. */
    private static String withoutPort(String hop) {
        boolean isOne = hop.indexOf(':') < 0 || hop.indexOf(':') != hop.lastIndexOf(':');
        String withoutPort = isOne ? hop : hop.substring(0, hop.indexOf(':'));
        return Loopback.withoutBrackets(withoutPort.replaceFirst("]:[0-9]+$", "]"));
    }

    private static String withoutScope(String address) {
        int scope = address.indexOf('%');
        return scope < 0 ? address : address.substring(0, scope);
    }
}
