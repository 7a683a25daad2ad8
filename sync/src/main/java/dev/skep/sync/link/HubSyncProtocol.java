package dev.skep.sync.link;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.sync.SyncConnection;
import dev.skep.sync.hub.HubLink;
import dev.skep.sync.hub.HubSync;
import dev.skep.transport.link.Link;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.link.LinkProtocolHandler;
import dev.skep.transport.link.SerialExecutor;
import dev.skep.wire.DecodedMessage;
import dev.skep.wire.Frame;
import dev.skep.wire.Message;
import dev.skep.wire.Message.SyncError;
import dev.skep.wire.MessageCodec;
import dev.skep.wire.WireLimits;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sync as the links of a hub carry it: each link's messages and turns one after the other. */
final class HubSyncProtocol implements LinkProtocol<Principal.Host> {
    private static final Logger LOG = LoggerFactory.getLogger(HubSyncProtocol.class);

    /** A host answers one request at a time and nudges once in between. */
    private static final int QUEUED_MESSAGES = 8;

    private final HubSync sync;
    private final MessageCodec codec;

    HubSyncProtocol(HubSync sync, MessageCodec codec) {
        this.sync = sync;
        this.codec = codec;
    }

    @Override
    public Set<String> types() {
        return MessageCodec.TYPES;
    }

    @Override
    public Set<Byte> tags() {
        return Set.of(Frame.COMPRESSED);
    }

    @Override
    public LinkProtocolHandler open(Principal.Host host, Link link) {
        return new Channel(host, link);
    }

    private final class Channel implements LinkProtocolHandler, SyncConnection {
        private final Principal.Host host;
        private final Link link;
        private final SerialExecutor serialExecutor;
        private final HubLink end;
        private final AtomicBoolean decodesAhead = new AtomicBoolean();
        private volatile boolean refused;

        Channel(Principal.Host host, Link link) {
            this.host = host;
            this.link = link;
            this.serialExecutor =
                    new SerialExecutor(QUEUED_MESSAGES, WireLimits.MESSAGE, this::failed);
            this.end = sync.open(host, this, serialExecutor::run);
        }

        @Override
        public void received(Frame frame) {
            Supplier<DecodedMessage> decoded = decoding(frame);
            if (!refused && !serialExecutor.submitReceived(frame.size(), () -> read(decoded))) {
                refuse(SyncError.BAD_MESSAGE, "more messages than were asked for");
            }
        }

        /** A page is decoded while the one before it is stored; one, whatever the peer sends. */
        private Supplier<DecodedMessage> decoding(Frame frame) {
            if (!frame.binary() || !decodesAhead.compareAndSet(false, true)) {
                return () -> codec.decode(frame);
            }
            CompletableFuture<DecodedMessage> page =
                    CompletableFuture.supplyAsync(
                            () -> codec.decode(frame), Thread::startVirtualThread);
            return () -> {
                decodesAhead.set(false);
                return page.join();
            };
        }

        private void read(Supplier<DecodedMessage> decoded) {
            if (refused) {
                // Sent before the peer knew that we closed.
                return;
            }
            switch (decoded.get()) {
                case DecodedMessage.Read(Message message) -> end.onMessage(message);
                case DecodedMessage.Garbage(String error, String why) -> refuse(error, why);
            }
        }

        /** Once: what the peer sent before it received the refusal does not matter. */
        private void refuse(String error, String why) {
            if (refused) {
                return;
            }
            if (sync.isWorthLogging(host.id(), error)) {
                LOG.warn("link refused host={} error={} {}", host.id(), error, why);
            }
            link.urgent(Frame.of(new SyncError(error, why)));
            close(error);
        }

        private void failed(RuntimeException failure) {
            if (failure instanceof SkepException trouble) {
                end.onFailure(trouble);
            } else {
                LOG.error("link failed host={}", host.id(), failure);
                link.close("the hub failed; it will be tried again");
            }
        }

        @Override
        public void progressed() {
            end.onProgress();
        }

        @Override
        public void closed(String reason) {
            serialExecutor.close(end::onClosed);
        }

        @Override
        public void send(Message message) {
            try {
                link.send(Frame.of(message));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close(String reason) {
            refused = true;
            link.close(reason);
        }
    }
}
