package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Where and how to listen; checked when made.
 *
 * @param port 0 for any free one
 * @param plainOffLoopback lets others reach this without TLS, for example behind a proxy with it
 * @param names host names people reach this by, besides loopback names and plain addresses
 * @param origins web origins other than this one that may send requests, as scheme://host:port
 * @param proxies addresses whose forwarding headers are trusted
 * @param advice the hint shown to clients that use an unknown host name or origin
 * @param cookie the name of the session cookie; made of the port if empty
 */
public record ListenerConfig(
        String address,
        int port,
        Optional<TlsFiles> tls,
        boolean plainOffLoopback,
        Set<String> names,
        Set<String> origins,
        RequestLimits limits,
        TrustedProxies proxies,
        ConnectionLimits connections,
        Advice advice,
        Optional<String> cookie) {

    /** How to allow a host name, and how an origin. */
    public record Advice(String names, String origins) {
        static final Advice USUAL =
                new Advice("the listener's names", "the listener's allowed origins");
    }

    /** A certificate chain and its key, both PEM; read again when they change. */
    public record TlsFiles(Path certificate, Path key) {}

    public ListenerConfig {
        names = Set.copyOf(names);
        origins = Set.copyOf(origins);
        if (!Loopback.isLoopback(address) && tls.isEmpty() && !plainOffLoopback) {
            throw new SkepException(
                    ErrorCode.BAD_CONFIGURATION,
                    "listening on %s lets other machines in, which needs TLS; give a certificate and its key, listen on 127.0.0.1, or say that a proxy does TLS"
                            .formatted(address));
        }
    }

    /** With a session cookie named by the port. */
    public ListenerConfig(
            String address,
            int port,
            Optional<TlsFiles> tls,
            boolean plainOffLoopback,
            Set<String> names,
            Set<String> origins,
            RequestLimits limits,
            TrustedProxies proxies,
            ConnectionLimits connections,
            Advice advice) {
        this(
                address,
                port,
                tls,
                plainOffLoopback,
                names,
                origins,
                limits,
                proxies,
                connections,
                advice,
                Optional.empty());
    }

    /** Without proxies before it, with the usual limits for connections. */
    public ListenerConfig(
            String address,
            int port,
            Optional<TlsFiles> tls,
            boolean plainOffLoopback,
            Set<String> names,
            Set<String> origins,
            RequestLimits limits) {
        this(
                address,
                port,
                tls,
                plainOffLoopback,
                names,
                origins,
                limits,
                TrustedProxies.NONE,
                ConnectionLimits.USUAL,
                Advice.USUAL);
    }

    /** This machine only, with the usual limits. */
    public static ListenerConfig loopback(int port) {
        return new ListenerConfig(
                "127.0.0.1",
                port,
                Optional.empty(),
                false,
                Set.of(),
                Set.of(),
                RequestLimits.USUAL);
    }

    /** The same on another port. */
    public ListenerConfig onPort(int other) {
        return changed(other, limits, proxies, connections, cookie);
    }

    public ListenerConfig withCookie(String name) {
        return changed(port, limits, proxies, connections, Optional.of(name));
    }

    public ListenerConfig with(RequestLimits other) {
        return changed(port, other, proxies, connections, cookie);
    }

    public ListenerConfig with(TrustedProxies other) {
        return changed(port, limits, other, connections, cookie);
    }

    public ListenerConfig with(ConnectionLimits other) {
        return changed(port, limits, proxies, other, cookie);
    }

    /** The same with more web origins that may send requests. */
    public ListenerConfig withOrigins(Set<String> more) {
        Set<String> all = new HashSet<>(origins);
        all.addAll(more);
        return new ListenerConfig(
                address,
                port,
                tls,
                plainOffLoopback,
                names,
                all,
                limits,
                proxies,
                connections,
                advice,
                cookie);
    }

    private ListenerConfig changed(
            int newPort,
            RequestLimits newLimits,
            TrustedProxies newProxies,
            ConnectionLimits newConnections,
            Optional<String> newCookie) {
        return new ListenerConfig(
                address,
                newPort,
                tls,
                plainOffLoopback,
                names,
                origins,
                newLimits,
                newProxies,
                newConnections,
                advice,
                newCookie);
    }
}
