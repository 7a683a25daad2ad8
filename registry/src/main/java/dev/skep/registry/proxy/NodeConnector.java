package dev.skep.registry.proxy;

import dev.skep.registry.service.Registry;
import dev.skep.transport.socket.MessageReceiver;
import dev.skep.transport.socket.MessageSender;

/** A way to reach nodes: straight to their port, or through the link of their host. */
@FunctionalInterface
public interface NodeConnector {
    /**
     * Opens a channel to a node and waits until it is there or has failed. Messages may reach the
     * receiver before this returns, and none is lost; it learns of the end only if this opened.
     */
    Opening open(Registry.RegisteredNode node, MessageReceiver receiver)
            throws InterruptedException;

    /** What came of it. */
    sealed interface Opening {
        record Opened(MessageSender channel) implements Opening {}

        /**
         * An error text of the protocol.
         *
         * @param shown what everyone may know
         * @param why for the operator only: otherwise a client that registers nodes could probe
         *     ports and names through the proxy
         */
        record Failed(String shown, String why) implements Opening {
            static final String NOT_REACHED = "Cannot reach agent";

            /** An error text that every client may see. */
            public Failed(String shown) {
                this(shown, shown);
            }

            static Failed because(String why) {
                return new Failed(NOT_REACHED, why);
            }
        }
    }
}
