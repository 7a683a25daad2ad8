package dev.skep.hub;

import dev.skep.directory.enrolment.HubDoor;
import dev.skep.directory.enrolment.LinkClaims;
import dev.skep.directory.enrolment.LiveLinks;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.link.LinkDoor;
import dev.skep.transport.route.Credentials;

/** Lets in the hosts that the directory gave a token. */
public final class DirectoryDoor implements LinkDoor {
    private final HubDoor door;

    public DirectoryDoor(HubDoor door) {
        this.door = door;
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
        return new Admitted(door.tokens().verify(token));
    }

    @Override
    public void look() {
        door.links().look();
    }

    private final class Admitted implements Admission {
        private final LinkClaims claims;

        Admitted(LinkClaims claims) {
            this.claims = claims;
        }

        @Override
        public Principal.Host host() {
            return claims.principal();
        }

        @Override
        public Lease claim(Runnable closeLink) {
            LiveLinks.Lease lease = door.links().claim(claims, closeLink);
            return lease::close;
        }

        @Override
        public boolean counts() {
            return door.tokens().stillCounts(claims);
        }
    }
}
