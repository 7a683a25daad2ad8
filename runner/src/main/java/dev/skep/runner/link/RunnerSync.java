package dev.skep.runner.link;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.row.Position;
import dev.skep.store.feed.FeedClock;
import dev.skep.sync.LinkPort;
import dev.skep.sync.Peer;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import dev.skep.sync.runner.RunnerLink;
import dev.skep.transport.link.Link;
import dev.skep.transport.link.LinkChannel;
import dev.skep.transport.link.LinkTraffic;
import dev.skep.transport.link.Mailbox;
import dev.skep.wire.Frame;
import dev.skep.wire.Incoming;
import dev.skep.wire.Message;
import dev.skep.wire.Message.SyncError;
import dev.skep.wire.MessageCodec;
import dev.skep.wire.WireLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sync as the links of a runner carry it, one after the other on each link. Own writes nudge every
 * hub.
 */
public final class RunnerSync implements LinkTraffic<String>, Component {
    private static final Logger LOG = LoggerFactory.getLogger(RunnerSync.class);

    /** A hub has one request in flight, and may add an error. */
    private static final int LETTERS = 8;

    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Message NOTHING = new Message.SyncAvailable();
    private static final Frame NO_FRAME = Frame.of(NOTHING);

    private final Principal.Host self;
    private final SyncSchema schema;
    private final SyncLimits limits;
    private final SyncStore store;
    private final FeedClock feed;
    private final InstantSource clock;
    private final MessageCodec codec;
    private final Map<String, Channel> open = new ConcurrentHashMap<>();
    private final Map<String, String> errors = new ConcurrentHashMap<>();
    private final Map<String, Long> confirmed = new ConcurrentHashMap<>();
    private volatile Runnable standingMoved = () -> {};
    private @Nullable Thread ticking;

    public RunnerSync(
            Principal.Host self,
            SyncSchema schema,
            SyncLimits limits,
            SyncStore store,
            FeedClock feed,
            InstantSource clock) {
        this.self = self;
        this.schema = schema;
        this.limits = limits;
        this.store = store;
        this.feed = feed;
        this.clock = clock;
        this.codec = new MessageCodec(schema.tables()::named);
    }

    /**
     * How sync with one hub stands.
     *
     * @param awaitedSince since when the hub was told of something and has not come for it
     */
    public record Standing(
            RunnerLink.Phase phase, Instant heardAt, Optional<Instant> awaitedSince) {}

    /** How sync with a hub stands; nothing while there is no link to it. */
    public Optional<Standing> standing(String hub) {
        return Optional.ofNullable(open.get(hub)).map(Channel::standing);
    }

    /**
     * Up to which of this host's writes a hub has them: what was sent to it, or without a link what
     * it last said to have stored.
     */
    public long handedOver(String hub) {
        Channel channel = open.get(hub);
        if (channel != null && channel.sent > Position.NONE) {
            return channel.sent;
        }
        Long told = confirmed.get(hub);
        return told == null ? store.read(db -> db.peer(hub).pulled()) : told;
    }

    /** Runs the listener when a hub's standing has changed. It must not block. */
    public void onStanding(Runnable listener) {
        standingMoved = listener;
    }

    public boolean isLinked(String hub) {
        return open.containsKey(hub);
    }

    /** What a hub last refused, in its words; empty once it went on without. */
    public String lastError(String hub) {
        return errors.getOrDefault(hub, "");
    }

    @Override
    public void start() {
        feed.onMoved(() -> open.values().forEach(Channel::moved));
        ticking = Thread.ofVirtual().name("sync-tick").start(this::tick);
    }

    private void tick() {
        try {
            while (true) {
                Thread.sleep(TICK);
                open.values().forEach(channel -> channel.mailbox.run(channel.end::onTick));
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /** The links are closed: what each hub said to have is stored, which is else done in steps. */
    @Override
    public void close() {
        if (ticking != null) {
            ticking.interrupt();
        }
        confirmed.forEach(this::store);
    }

    private void store(String hub, long pulled) {
        try {
            store.write(
                    tx -> {
                        Peer known = tx.peer(hub);
                        tx.store(hub, known.cursor(), known.head(), pulled);
                        return pulled;
                    });
        } catch (SkepException unreachable) {
            // Until the next link it is told that more waits than does.
        }
    }

    @Override
    public Set<String> types() {
        return MessageCodec.TYPES;
    }

    @Override
    public Set<Byte> tags() {
        return Set.of(Frame.COMPRESSED);
    }

    /**
     * Two addresses of one hub may be dialled at the same moment. The newer link stays, as at the
     * hub: one that nobody knows of here would be neither nudged nor in the way of a third.
     */
    @Override
    public LinkChannel open(String hub, Link link) {
        Channel channel = new Channel(hub, link);
        Channel before = open.put(hub, channel);
        if (before != null) {
            before.close("another link to the same hub took its place");
        }
        channel.mailbox.run(channel::opened);
        return channel;
    }

    private final class Channel implements LinkChannel, LinkPort {
        private final String hub;
        private final Link link;
        private final Mailbox mailbox;
        private final RunnerLink end;
        private final AtomicBoolean moved = new AtomicBoolean();
        private Message ahead = NOTHING;
        private Frame aheadFrame = NO_FRAME;
        private volatile RunnerLink.Phase phase = RunnerLink.Phase.CONNECTING;
        private volatile Instant heardAt = clock.instant();
        private volatile @Nullable Instant awaitedSince;
        private volatile long sent = Position.NONE;

        Channel(String hub, Link link) {
            this.hub = hub;
            this.link = link;
            this.mailbox = new Mailbox(LETTERS, WireLimits.MESSAGE, this::failed);
            this.end = new RunnerLink(self, hub, schema, limits, store, clock, this);
        }

        Standing standing() {
            return new Standing(phase, heardAt, Optional.ofNullable(awaitedSince));
        }

        void opened() {
            end.onOpen();
            phase = end.phase();
            heardAt = clock.instant();
            standingMoved.run();
        }

        /** Many writes are one nudge. */
        void moved() {
            if (moved.compareAndSet(false, true)) {
                mailbox.run(
                        () -> {
                            moved.set(false);
                            end.onMoved();
                        });
            }
        }

        @Override
        public void received(Frame frame) {
            if (!mailbox.letter(frame.size(), () -> read(frame))) {
                refuse(SyncError.BAD_MESSAGE, "more messages than a hub of ours sends");
            }
        }

        private void read(Frame frame) {
            awaitedSince = null;
            switch (codec.decode(frame)) {
                case Incoming.Read(Message message) -> take(message);
                case Incoming.Garbage(String error, String why) -> refuse(error, why);
            }
            phase = end.phase();
            heardAt = clock.instant();
            standingMoved.run();
            if (mailbox.isEmpty()) {
                end.readAhead().ifPresent(this::encodeAhead);
            }
        }

        private void take(Message message) {
            if (message instanceof SyncError error) {
                String words = error.error() + ": " + error.message();
                if (!words.equals(errors.put(hub, words))) {
                    LOG.warn("sync refused hub={} {}", hub, words);
                }
            } else if (message instanceof Message.SyncRequest request) {
                errors.remove(hub);
                // A hub that asks ahead has not stored what it asks behind; one that heals starts
                // over.
                if (request.heal() != null) {
                    confirmed.remove(hub);
                } else if (!request.ahead()) {
                    confirmed.put(hub, request.since());
                }
            }
            end.onMessage(message);
        }

        private void encodeAhead(Message message) {
            ahead = message;
            aheadFrame = Frame.of(message);
        }

        private void refuse(String error, String why) {
            LOG.warn("link refused hub={} error={} {}", hub, error, why);
            link.urgent(Frame.of(new SyncError(error, why)));
            link.close(error);
        }

        private void failed(RuntimeException failure) {
            LOG.error("link failed hub={}", hub, failure);
            link.close("the runner failed; it will try again");
        }

        /** What the hub said last is read still: it may be why it closed. */
        @Override
        public void closed(String reason) {
            mailbox.end(
                    () -> {
                        open.remove(hub, this);
                        standingMoved.run();
                    });
        }

        @Override
        public void send(Message message) {
            try {
                link.send(message == ahead ? aheadFrame : Frame.of(message));
                remember(message);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                ahead = NOTHING;
                aheadFrame = NO_FRAME;
            }
        }

        private void remember(Message message) {
            switch (message) {
                // An answer within a heal has no rows of this host and no position.
                case Message.SyncResponse answer when answer.upto() > Position.NONE ->
                        sent = answer.upto();
                case Message.SyncAvailable _, Message.CatchUp _ -> {
                    awaitedSince = clock.instant();
                    standingMoved.run();
                }
                default -> {}
            }
        }

        @Override
        public void close(String reason) {
            link.close(reason);
        }
    }
}
