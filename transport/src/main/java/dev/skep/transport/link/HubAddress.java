package dev.skep.transport.link;

import java.net.URI;

/** Where a hub is and how this host proves itself there. Thread-safe. */
public interface HubAddress {
    /** What people call the hub: its address, without secrets. */
    String name();

    /** Where the socket of links is. */
    URI link();

    /** A fresh ticket for one link; waits for the network, and throws if the hub gives none. */
    Ticket ticket();

    /**
     * A hub's word that this host may open a link.
     *
     * @param hub the hub's own id, by which this host remembers what it has got from it
     */
    record Ticket(String bearer, String hub) {
        @Override
        public String toString() {
            return "ticket of hub " + hub;
        }
    }
}
