package dev.skep.hub;

import dev.skep.directory.enrolment.HubDoor;
import dev.skep.directory.enrolment.LinkClaims;
import dev.skep.directory.enrolment.LiveLinks;
import dev.skep.directory.history.LinkBook;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.link.LinkAcceptor;
import dev.skep.transport.route.Credentials;

/** Lets in the hosts that the directory gave a token. */
public final class DirectoryDoor implements LinkAcceptor {
    private final HubDoor door;
    private final LinkBook book;

    public DirectoryDoor(HubDoor door, LinkBook book) {
        this.door = door;
        this.book = book;
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
        return new Admitted(door.tokens().verify(token), credentials.from());
    }

    @Override
    public void refresh() {
        door.links().look();
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
            LiveLinks.Lease lease = door.links().claim(claims, closeLink);
            LinkBook.Entry entry = book.opened(claims.principal(), from);
            return reason -> {
                lease.close();
                entry.closed(reason);
            };
        }

        @Override
        public boolean counts() {
            return door.tokens().stillCounts(claims);
        }
    }
}
