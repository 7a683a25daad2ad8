package dev.skep.registry.routes;

import dev.skep.directory.secret.SecretDigest;
import dev.skep.kernel.id.OrgId;
import dev.skep.transport.socket.SocketRequest;
import java.util.Optional;

/**
 * Who may connect. If it is open and has no token, every client on this machine may, which is why
 * it then listens on loopback only; a client that a proxy on this machine forwards is not on this
 * machine. Thread-safe.
 */
public final class RegistryAccess {
    private static final String TOKEN = "token";

    private final Optional<String> token;
    private final OrgId tokenOrg;
    private final OtherCallers others;
    private final boolean open;

    /** Holders of registry tokens of any org, and operators who are signed in. */
    @FunctionalInterface
    public interface OtherCallers {
        /**
         * The caller; empty if unknown.
         *
         * @param token the token that was offered, empty if none was
         */
        Optional<RegistryCaller> callerOf(SocketRequest request, String token);
    }

    /**
     * The token belongs to one org.
     *
     * @param open whether every client on this machine may connect as a visitor of that org while
     *     there is no token
     */
    public RegistryAccess(
            Optional<String> token, OrgId tokenOrg, OtherCallers others, boolean open) {
        this.token = token;
        this.tokenOrg = tokenOrg;
        this.others = others;
        this.open = open;
    }

    /** Empty if the request may not pass. */
    public Optional<RegistryCaller> caller(SocketRequest request) {
        String offered = offered(request);
        if (token.isPresent() && SecretDigest.same(token.get(), offered)) {
            return Optional.of(new RegistryCaller(tokenOrg, false, false));
        }
        Optional<RegistryCaller> other = others.callerOf(request, offered);
        return open && token.isEmpty() && other.isEmpty() && request.here()
                ? Optional.of(new RegistryCaller(tokenOrg, true, true))
                : other;
    }

    private static String offered(SocketRequest request) {
        return request.query(TOKEN).or(request::bearer).orElse("");
    }
}
