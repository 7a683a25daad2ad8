package dev.skep.transport.http;

import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A connector that has no more connections than it may. */
@SuppressWarnings("try") // the library's close() may throw anything; it is stopped, not closed
final class BoundedConnector extends ServerConnector {
    /** Bytes of unused buffers that are kept. */
    private static final long KEPT_HEAP = 8 << 20;

    private static final long KEPT_DIRECT = 16 << 20;

    private final ConnectionLimiter connectionLimiter;

    BoundedConnector(
            Server server, ConnectionLimiter connectionLimiter, ConnectionFactory... factories) {
        super(server, null, null, pool(), 1, 1, factories);
        this.connectionLimiter = connectionLimiter;
    }

    /** The library would keep as much as an eighth of the largest heap, twice. */
    private static ByteBufferPool pool() {
        return new ArrayByteBufferPool(0, -1, -1, Integer.MAX_VALUE, KEPT_HEAP, KEPT_DIRECT);
    }

    @Override
    protected void onEndPointOpened(EndPoint endPoint) {
        super.onEndPointOpened(endPoint);
        connectionLimiter.opened(endPoint);
    }

    @Override
    protected void onEndPointClosed(EndPoint endPoint) {
        connectionLimiter.closed(endPoint);
        super.onEndPointClosed(endPoint);
    }
}
