package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Where and how to listen; checked when made.
 *
 * @param port 0 for any free one
 * @param plainOffLoopback lets others reach this without TLS, for example behind a proxy with it
 * @param names host names people reach this by, besides loopback names and plain addresses
 * @param origins web origins other than this one that may send requests, as scheme://host:port
 */
public record ListenerConfig(
        String address,
        int port,
        Optional<TlsFiles> tls,
        boolean plainOffLoopback,
        Set<String> names,
        Set<String> origins,
        RequestLimits limits) {

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
        return new ListenerConfig(address, other, tls, plainOffLoopback, names, origins, limits);
    }

    public ListenerConfig with(RequestLimits other) {
        return new ListenerConfig(address, port, tls, plainOffLoopback, names, origins, other);
    }
}
