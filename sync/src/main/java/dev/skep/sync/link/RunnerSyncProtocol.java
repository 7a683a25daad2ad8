package dev.skep.sync.link;

import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.FeedScope;
import dev.skep.sync.SyncConnection;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import dev.skep.sync.runner.JoinKind;
import dev.skep.sync.runner.RunnerLink;
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
public final class RunnerSyncProtocol implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(RunnerSyncProtocol.class);

    /** A hub has one request in flight, and may add an error. */
    private static final int QUEUED_MESSAGES = 8;

    private static final FeedPage.Limits ONE = new FeedPage.Limits(1, 1);
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Message NOTHING = new Message.SyncAvailable();
    private static final Frame NO_FRAME = Frame.of(NOTHING);

    private final Principal.Host self;
    private final JoinKind joinKind;
    private final SyncSchema schema;
    private final SyncLimits limits;
    private final SyncStore store;
    private final FeedClock feed;
    private final InstantSource clock;
    private final InstantSource steady;
    private final MessageCodec codec;
    private final Map<String, Channel> open = new ConcurrentHashMap<>();
    private final Map<String, String> errors = new ConcurrentHashMap<>();
    private final ConfirmedRows confirmed;
    private volatile Runnable standingMoved = () -> {};
    private volatile HealListener heals = HealListener.NOBODY;
    private final PeriodicTask ticking = new PeriodicTask("sync-tick", TICK, this::tick);

    /**
     * Sync of a runner or hub that joins hubs; no link is open yet.
     *
     * @param clock what people are shown
     * @param steady how long a hub is silent, however the machine's clock is set
     */
    public RunnerSyncProtocol(
            Principal.Host self,
            JoinKind joinKind,
            SyncSchema schema,
            SyncLimits limits,
            SyncStore store,
            FeedClock feed,
            InstantSource clock,
            InstantSource steady) {
        this.self = self;
        this.joinKind = joinKind;
        this.schema = schema;
        this.limits = limits;
        this.store = store;
        this.feed = feed;
        this.clock = clock;
        this.confirmed = new ConfirmedRows(store, joinKind);
        this.steady = steady;
        this.codec = new MessageCodec(schema.tables()::named);
    }

    /**
     * The state of sync with one hub.
     *
     * @param awaitedSince since when a request of the hub is overdue: it was notified of rows and
     *     did not ask for them, or it was sent some and did not ask for more
     * @param movedAt when bytes last arrived or left
     */
    public record SyncStatus(
            RunnerLink.Phase phase,
            Instant receivedAt,
            Optional<Instant> awaitedSince,
            Instant movedAt) {}

    /** How sync with a hub stands; nothing while there is no link to it. */
    public Optional<SyncStatus> status(String hub) {
        return Optional.ofNullable(open.get(hub)).map(Channel::status);
    }

    /** Up to which of this host's writes a hub has confirmed them. */
    public long confirmed(String hub) {
        return confirmed.of(hub);
    }

    /** Runs the listener when a hub's standing has changed. It must not block. */
    public void onStatusChange(Runnable listener) {
        standingMoved = listener;
    }

    /** Sets the listener that is called with what hubs have to give back. */
    public void onHeals(HealListener listener) {
        heals = listener;
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
        feed.onAdvanced(this::moved);
        ticking.start();
    }

    /** There are new rows of this host, or may be. */
    public void moved() {
        open.values().forEach(Channel::moved);
    }

    private void tick() {
        open.values().forEach(channel -> channel.serialExecutor.run(channel.end::onTick));
    }

    /**
     * The links are closed: stores each hub's confirmed position, which is otherwise done in steps.
     */
    @Override
    public void close() {
        ticking.close();
        confirmed.storeAll();
    }

    /** Sync for the links that are dialled at one address, as far as this host allows it there. */
    public LinkProtocol<String> with(HubConsent consent) {
        return new LinkProtocol<>() {
            @Override
            public Set<String> types() {
                return MessageCodec.TYPES;
            }

            @Override
            public Set<Byte> tags() {
                return Set.of(Frame.COMPRESSED);
            }

            @Override
            public LinkProtocolHandler open(String hub, Link link) {
                return opened(hub, consent, link);
            }
        };
    }

    /**
     * Two addresses of one hub may be dialled at the same moment. The newer link stays, as at the
     * hub: a link unknown here would neither be nudged nor prevent a third.
     */
    private LinkProtocolHandler opened(String hub, HubConsent consent, Link link) {
        Channel channel = new Channel(hub, consent, link);
        Channel before = open.put(hub, channel);
        if (before != null) {
            before.close("another link to the same hub took its place");
        }
        channel.serialExecutor.run(channel::opened);
        return channel;
    }

    private final class Channel implements LinkProtocolHandler, SyncConnection {
        private final String hub;
        private final HubConsent consent;
        private final Link link;
        private final ConfirmedRows.OnLink confirms;
        private final SerialExecutor serialExecutor;
        private final RunnerLink end;
        private final AtomicBoolean moved = new AtomicBoolean();
        private Message ahead = NOTHING;
        private Frame aheadFrame = NO_FRAME;
        private volatile RunnerLink.Phase phase = RunnerLink.Phase.CONNECTING;
        private volatile Instant receivedAt = clock.instant();
        private volatile @Nullable Instant awaitedSince;
        private volatile Instant movedAt = clock.instant();
        private boolean reportedAgreement;

        Channel(String hub, HubConsent consent, Link link) {
            this.hub = hub;
            this.consent = consent;
            this.link = link;
            this.confirms = confirmed.new OnLink(hub);
            this.serialExecutor =
                    new SerialExecutor(QUEUED_MESSAGES, WireLimits.MESSAGE, this::failed);
            this.end =
                    new RunnerLink(
                            self, hub, joinKind, consent, schema, limits, store, steady, this);
        }

        SyncStatus status() {
            return new SyncStatus(phase, receivedAt, Optional.ofNullable(awaitedSince), movedAt);
        }

        void opened() {
            heals().opened(hub);
            end.onOpen();
            phase = end.phase();
            receivedAt = clock.instant();
            standingMoved.run();
        }

        /** Many writes are one nudge. */
        void moved() {
            if (moved.compareAndSet(false, true)) {
                serialExecutor.run(
                        () -> {
                            moved.set(false);
                            if (hasOwn()) {
                                end.onMoved();
                            }
                        });
            }
        }

        /**
         * A hub's feed moves with every row of its hosts, which are none of another hub's business.
         */
        private boolean hasOwn() {
            return joinKind == JoinKind.AS_RUNNER
                    || !store.read(
                                    db ->
                                            db.page(
                                                    new FeedScope.OwnedBy(self.org(), self.id()),
                                                    confirmed(hub),
                                                    ONE))
                            .tables()
                            .isEmpty();
        }

        @Override
        public void progressed() {
            movedAt = clock.instant();
            end.onProgress();
        }

        @Override
        public void received(Frame frame) {
            movedAt = clock.instant();
            if (!serialExecutor.submitReceived(frame.size(), () -> read(frame))) {
                refuse(SyncError.BAD_MESSAGE, "more messages than a Skep hub sends");
            }
        }

        private void read(Frame frame) {
            awaitedSince = null;
            switch (codec.decode(frame)) {
                case DecodedMessage.Read(Message message) -> take(message);
                case DecodedMessage.Garbage(String error, String why) -> refuse(error, why);
            }
            phase = end.phase();
            receivedAt = clock.instant();
            standingMoved.run();
            if (end.isAgreed() && !reportedAgreement) {
                reportedAgreement = true;
                heals.agreed(hub);
            }
            if (serialExecutor.isEmpty()) {
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
                confirms.onRequest(request);
            }
            end.onMessage(message);
        }

        /** A hub that may not stop agents cannot hold them back with a heal either. */
        private HealListener heals() {
            return consent.has(Consent.STEER) ? heals : HealListener.NOBODY;
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
            if (failure instanceof SkepException expected) {
                // For example a full disk: the message is for people, and a stack trace does not
                // help them.
                LOG.warn("link failed hub={} reason={}", hub, expected.getMessage());
            } else {
                LOG.error("link failed hub={}", hub, failure);
            }
            link.close("the runner failed; it will try again");
        }

        /** The hub's last messages are still read: they may contain the reason. */
        @Override
        public void closed(String reason) {
            serialExecutor.end(
                    () -> {
                        if (open.remove(hub, this)) {
                            heals.closed(hub);
                        }
                        standingMoved.run();
                    });
        }

        @Override
        public void send(Message message) {
            try {
                if (message instanceof SyncError error
                        && error.error().equals(SyncError.UNKNOWN_HEAD)) {
                    reportedAgreement = false;
                    heals().behind(hub);
                }
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
                case Message.SyncResponse answer when answer.rows().isEmpty() -> {}
                case Message.SyncResponse _, Message.SyncAvailable _, Message.CatchUp _ -> {
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
