package dev.skep.registry.proxy;

import dev.skep.registry.node.NodeCounters;
import dev.skep.registry.proxy.NodeConnector.Opening;
import dev.skep.registry.service.Registry;
import dev.skep.registry.wire.RegistryFrames;
import dev.skep.transport.http.RateLimitedLog;
import dev.skep.transport.socket.MessageReceiver;
import dev.skep.transport.socket.MessageSender;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One dashboard's way through to one node: receives what the dashboard sends. */
public final class ProxySession implements MessageReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(ProxySession.class);
    private static final RateLimitedLog LOG_OF_FAILURES = new RateLimitedLog(LOG::info);
    private static final int NORMAL = 1000;
    private static final long BEAT_NANOS = 1_000_000_000L;

    private final Registry registry;
    private final NodeConnector nodeConnector;
    private final String nodeId;
    private final boolean mayKnowWhy;
    private final RelayMeter meter;
    private final AtomicLong beatAt = new AtomicLong();
    private NodeCounters nodeCounters = new NodeCounters();
    private @Nullable MessageSender agent;

    /**
     * A session that is not open yet.
     *
     * @param mayKnowWhy whether the dashboard may see why a node is not reached
     */
    public ProxySession(
            Registry registry,
            NodeConnector nodeConnector,
            String nodeId,
            boolean mayKnowWhy,
            RelayMeter meter) {
        this.registry = registry;
        this.nodeConnector = nodeConnector;
        this.nodeId = nodeId;
        this.mayKnowWhy = mayKnowWhy;
        this.meter = meter;
    }

    /** Reaches the node before the dashboard's first message is read. */
    @Override
    public void opened(MessageSender dashboard) throws InterruptedException {
        meter.opened();
        Optional<Registry.RegisteredNode> registeredNode = registry.find(nodeId);
        if (registeredNode.isEmpty()) {
            fail(dashboard, "Agent not found");
            return;
        }
        if (!registeredNode.get().node().isActive()) {
            fail(dashboard, "Agent is offline");
            return;
        }
        if (registeredNode.get().peer().isPresent()) {
            // A node that registered elsewhere is counted there.
            nodeCounters = registry.tally(nodeId);
        }
        switch (nodeConnector.open(registeredNode.get(), new ToDashboard(dashboard))) {
            case Opening.Failed(String shown, String why) -> {
                nodeCounters.failed();
                LOG_OF_FAILURES.report(
                        "nodes that were not reached",
                        () -> LOG.info("node not reached node={} {}", nodeId, why));
                fail(dashboard, mayKnowWhy ? why : shown);
            }
            case Opening.Opened(MessageSender messageSender) -> {
                nodeCounters.proxied();
                agent = messageSender;
            }
        }
    }

    static void fail(MessageSender dashboard, String error) throws InterruptedException {
        dashboard.send(RegistryFrames.error(error));
        dashboard.close(NORMAL, "");
    }

    @Override
    public void text(ByteBuffer message) throws InterruptedException {
        if (agent != null) {
            relayed(message.remaining());
            agent.sendUtf8(message);
        }
    }

    @Override
    public void binary(ByteBuffer message) throws InterruptedException {
        if (agent != null) {
            relayed(message.remaining());
            agent.send(message);
        }
    }

    @Override
    public void closed(int code, String reason) {
        meter.ended();
        if (agent != null) {
            agent.close(code, reason);
        }
    }

    /** Every message counts; one a second is a sign of life. */
    private void relayed(int size) {
        nodeCounters.relayed();
        meter.relayed(size);
        long now = System.nanoTime();
        long last = beatAt.get();
        boolean due = last == 0 || now - last > BEAT_NANOS;
        if (due && beatAt.compareAndSet(last, now)) {
            registry.recordActivity(nodeId);
        }
    }

    /** What the node sends goes to the dashboard. */
    private final class ToDashboard implements MessageReceiver {
        private final MessageSender dashboard;

        ToDashboard(MessageSender dashboard) {
            this.dashboard = dashboard;
        }

        @Override
        public void text(ByteBuffer message) throws InterruptedException {
            relayed(message.remaining());
            dashboard.sendUtf8(message);
        }

        @Override
        public void binary(ByteBuffer message) throws InterruptedException {
            relayed(message.remaining());
            dashboard.send(message);
        }

        @Override
        public void closed(int code, String reason) {
            dashboard.close(code, reason);
        }
    }
}
