package dev.skep.registry.proxy;

import dev.skep.transport.socket.MessageReceiver;
import dev.skep.transport.socket.MessageSender;
import java.nio.ByteBuffer;

/** A session with a node that the caller may not have: it ends with the reason. */
public record RefusedSession(String why) implements MessageReceiver {
    @Override
    public void opened(MessageSender dashboard) throws InterruptedException {
        ProxySession.fail(dashboard, why);
    }

    @Override
    public void text(ByteBuffer utf8) {}

    @Override
    public void binary(ByteBuffer message) {}

    @Override
    public void closed(int code, String reason) {}
}
