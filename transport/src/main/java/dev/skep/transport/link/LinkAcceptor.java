package dev.skep.transport.link;

import dev.skep.kernel.identity.Principal;
import dev.skep.transport.route.Credentials;

/** Decides which hosts may open links, as the directory knows them. Thread-safe. */
@FunctionalInterface
public interface LinkAcceptor {
    /** The peer with these credentials; otherwise throws with the code to send to the peer. */
    Admission admit(Credentials credentials);

    /** Called every two seconds while links may be open. */
    default void refresh() {}

    /** A host that may open a link. */
    interface Admission {
        Principal.Host host();

        /**
         * The link opened and is the host's one link from now on; throws if it may not be. The
         * action closes it, should a newer link of the host come or the host be revoked.
         */
        Lease claim(Runnable closeLink);

        /** Whether the host may still be here; asked now and then while the link is open. */
        boolean counts();
    }

    /** Ends with the link; ending an old one does not touch a newer link. */
    @FunctionalInterface
    interface Lease {
        /** The link is gone, with the reason for people. */
        void end(String reason);
    }
}
