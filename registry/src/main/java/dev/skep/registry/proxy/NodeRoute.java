package dev.skep.registry.proxy;

import dev.skep.registry.service.Registry;
import dev.skep.transport.socket.Channel;
import java.nio.ByteBuffer;

/** A way to reach nodes: straight to their port, or through the link of their host. */
public interface NodeRoute {
    /**
     * Opens a channel to a node and waits until it is there or has failed. Messages may reach the
     * listener before this returns, and none is lost.
     */
    Opening open(Registry.Found node, Listener listener) throws InterruptedException;

    /** What came of it. */
    sealed interface Opening {
        record Opened(Channel channel) implements Opening {}

        /** An error text of the protocol. */
        record Failed(String error) implements Opening {}
    }

    /** Hears what the node sends, one message at a time; taking its time slows the node. */
    interface Listener {
        /** A text as its bytes, for the listener to keep. */
        void text(ByteBuffer utf8) throws InterruptedException;

        void binary(ByteBuffer message) throws InterruptedException;

        /** The last call, exactly once if the channel was opened. */
        void closed(int code, String reason);
    }
}
