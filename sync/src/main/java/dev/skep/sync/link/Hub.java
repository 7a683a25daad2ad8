package dev.skep.sync.link;

import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.store.Database;
import dev.skep.store.feed.FeedClock;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.hub.HubSync;
import dev.skep.sync.hub.TakeoverService;
import dev.skep.sync.sql.RetentionStore;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.transport.link.LinkAcceptor;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.link.LinkProtocols;
import dev.skep.transport.link.LinkServer;
import dev.skep.wire.MessageCodec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A hub on one database. Its links arrive through {@link #links}, from a listener. */
public final class Hub implements Component {
    /** Often enough that a slow link gives its slot back soon. */
    private static final Duration TICK = Duration.ofMillis(200);

    /** The feed is read when it moved, and this often in case a notification was lost. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private static final int TICKS_PER_GLANCE = 10;
    private static final int TICKS_PER_LOOK = 50;

    private final Database database;
    private final FeedClock feed;
    private final LinkAcceptor linkAcceptor;
    private final InstantSource clock;
    private final InstantSource steady;
    private final HubSync sync;
    private final TakeoverService takeoverService;
    private final RetentionStore retention;
    private final LinkServer links;
    private final PeriodicTask feedReader;
    private final PeriodicTask ticking = new PeriodicTask("hub-tick", TICK, this::tick);
    private long ticks;
    private Database.@Nullable Listening elsewhere;

    /**
     * What a hub stands on.
     *
     * @param clock for people
     * @param steady what links are given up by
     */
    public record Base(
            Database database,
            FeedClock feed,
            SyncSchema schema,
            SyncLimits limits,
            EventBus events,
            InstantSource clock,
            InstantSource steady,
            RandomGenerator random) {}

    /** A hub whose links carry sync and the given others. */
    public Hub(Base base, LinkAcceptor linkAcceptor, List<LinkProtocol<Principal.Host>> others) {
        this.database = base.database;
        this.feed = base.feed;
        this.linkAcceptor = linkAcceptor;
        this.clock = base.clock;
        this.steady = base.steady;
        SqlSyncStore store =
                SqlSyncStore.ofHub(base.database, base.schema, base.feed, base.events, base.clock);
        this.sync = new HubSync(store, base.schema, base.limits, base.steady);
        this.retention = store.retention();
        this.takeoverService = new TakeoverService(store, sync, base.clock, base.random);
        List<LinkProtocol<Principal.Host>> all = new ArrayList<>(others);
        all.add(new HubSyncProtocol(sync, new MessageCodec(base.schema.tables()::named)));
        this.links = new LinkServer(linkAcceptor, new LinkProtocols<>(all));
        this.feedReader = new PeriodicTask("feed-reader", LOOK_EVERY, sync::readFeed);
    }

    public LinkServer links() {
        return links;
    }

    /** How far back its tables go. */
    public RetentionStore retention() {
        return retention;
    }

    public TakeoverService takeoverService() {
        return takeoverService;
    }

    /** The hosts whose answer is awaited, and since when. */
    public Map<HostId, HubSync.PendingResponse> asked() {
        Duration ahead = Duration.between(clock.instant(), steady.instant());
        Map<HostId, HubSync.PendingResponse> shown = new HashMap<>();
        sync.asked()
                .forEach(
                        (host, pendingResponse) ->
                                shown.put(
                                        host,
                                        new HubSync.PendingResponse(
                                                pendingResponse.since().minus(ahead),
                                                pendingResponse.movedAt().minus(ahead))));
        return shown;
    }

    /** Runs the listener when {@link #asked} has changed. It must not block. */
    public void onAsked(Runnable listener) {
        sync.onAsked(listener);
    }

    /** A host's key was revoked: its link closes at once. */
    public void onEvent(FleetEvent event) {
        if (event instanceof FleetEvent.HostRevoked revoked) {
            links.close(revoked.host(), "this host was revoked");
        }
    }

    @Override
    public void start() {
        feed.onAdvanced(feedReader::wake);
        elsewhere = database.listen(FeedClock.CHANNEL, _ -> feedReader.wake());
        feedReader.start();
        ticking.start();
    }

    private void tick() {
        ticks++;
        sync.onTick();
        if (ticks % TICKS_PER_GLANCE == 0) {
            linkAcceptor.refresh();
        }
        if (ticks % TICKS_PER_LOOK == 0) {
            links.closeRevokedHosts();
        }
    }

    @Override
    public void close() {
        links.closeAll();
        if (elsewhere != null) {
            elsewhere.close();
        }
        feedReader.close();
        ticking.close();
    }
}
