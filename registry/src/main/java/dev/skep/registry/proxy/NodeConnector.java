package dev.skep.registry.proxy;

import dev.skep.registry.service.Registry;
import dev.skep.transport.socket.MessageReceiver;
import dev.skep.transport.socket.MessageSender;

/** A way to reach nodes: straight to their port, or through the link of their host. */
@FunctionalInterface
public interface NodeConnector {
    /**
     * Opens a channel to a node and waits until it is there or has failed. Messages may reach the
     * receiver before this returns, and none is lost; it is told of the end only if this opened.
     */
    Opening open(Registry.RegisteredNode node, MessageReceiver receiver)
            throws InterruptedException;

    /** What came of it. */
    sealed interface Opening {
        record Opened(MessageSender channel) implements Opening {}

        /**
         * An error text of the protocol.
         *
         * @param told what anybody may know
         * @param why what only those may know who run the machine: else whoever registers nodes
         *     could have ports and names tried, and read what became of it
         */
        record Failed(String told, String why) implements Opening {
            static final String NOT_REACHED = "Cannot reach agent";

            /** Something that everybody may know. */
            public Failed(String told) {
                this(told, told);
            }

            static Failed because(String why) {
                return new Failed(NOT_REACHED, why);
            }
        }
    }
}
