package dev.skep.directory.assembly;

import dev.skep.directory.enrolment.ConnectedHosts;
import dev.skep.directory.enrolment.HostAcceptor;
import dev.skep.directory.enrolment.LinkClaims;
import dev.skep.directory.history.ConnectionLog;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.link.LinkAcceptor;
import dev.skep.transport.route.Credentials;

/** Lets in the hosts that the directory gave a token. */
public final class DirectoryLinkAcceptor implements LinkAcceptor {
    private final HostAcceptor hostAcceptor;
    private final ConnectionLog connectionLog;

    public DirectoryLinkAcceptor(HostAcceptor hostAcceptor, ConnectionLog connectionLog) {
        this.hostAcceptor = hostAcceptor;
        this.connectionLog = connectionLog;
    }

    @Override
    public Admission admit(Credentials credentials) {
        String token =
                credentials
                        .bearer()
                        .orElseThrow(
                                () ->
                                        new SkepException(
                                                ErrorCode.UNAUTHENTICATED,
                                                "send a token as Authorization: Bearer"));
        return new Admitted(hostAcceptor.tokens().verify(token), credentials.from());
    }

    @Override
    public void refresh() {
        hostAcceptor.links().renewAndRefresh();
    }

    private final class Admitted implements Admission {
        private final LinkClaims claims;
        private final String from;

        Admitted(LinkClaims claims, String from) {
            this.claims = claims;
            this.from = from;
        }

        @Override
        public Principal.Host host() {
            return claims.principal();
        }

        @Override
        public Lease claim(Runnable closeLink) {
            ConnectedHosts.Lease lease = hostAcceptor.links().claim(claims, closeLink);
            ConnectionLog.Entry entry = connectionLog.opened(claims.principal(), from);
            return reason -> {
                lease.close();
                entry.closed(reason);
            };
        }

        @Override
        public boolean counts() {
            return hostAcceptor.tokens().stillCounts(claims);
        }
    }
}
