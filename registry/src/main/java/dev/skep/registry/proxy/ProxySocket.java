package dev.skep.registry.proxy;

import dev.skep.transport.socket.MessageReceiver;
import dev.skep.transport.socket.SocketHandler;
import dev.skep.transport.socket.SocketSender;
import java.nio.ByteBuffer;

/** A dashboard with a socket of its own. */
public final class ProxySocket implements SocketHandler {
    private final MessageReceiver session;

    public ProxySocket(ProxySession session) {
        this.session = session;
    }

    @Override
    public void opened(SocketSender dashboard) throws InterruptedException {
        session.opened(dashboard);
    }

    @Override
    public void utf8(ByteBuffer message) throws InterruptedException {
        session.text(message);
    }

    @Override
    public void text(String message) {
        throw new IllegalStateException("texts are passed on as bytes");
    }

    @Override
    public void binary(ByteBuffer message) throws InterruptedException {
        session.binary(message);
    }

    @Override
    public void pinged() {}

    @Override
    public void closed(int code, String reason) {
        session.closed(code, reason);
    }
}
