package dev.skep.directory.enrolment;

import dev.skep.directory.enrolment.LinkedHostStore.Linked;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.SqlDialect;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that are connected to this hub, one link each. A host that connects again from the same
 * place replaces its old link, which may be half dead; one that connects from another place while
 * the first is alive is a copy and is refused. Processes on one database know each other's links.
 * Thread-safe.
 */
public final class ConnectedHosts {
    private final Optional<LinkedHostStore> shared;
    private final UlidSource ids;
    private final Map<HostId, Entry> entries = new ConcurrentHashMap<>();
    private final List<Consumer<Principal.Host>> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    private volatile Map<HostId, Linked> urlOfOtherProcess = Map.of();
    private volatile String url = "";

    private record Entry(String place, Runnable close, Lease lease) {}

    /** Ends with the link; closing an old lease does not touch a newer link's. */
    public interface Lease extends AutoCloseable {
        @Override
        void close();
    }

    /** A file has one process; a server may have several. */
    static ConnectedHosts on(Database database, UlidSource ids, InstantSource clock) {
        return new ConnectedHosts(
                database.dialect() == SqlDialect.POSTGRES
                        ? Optional.of(new LinkedHostStore(database, clock, ids.next()))
                        : Optional.empty(),
                ids);
    }

    private ConnectedHosts(Optional<LinkedHostStore> shared, UlidSource ids) {
        this.shared = shared;
        this.ids = ids;
    }

    /** Where people reach this process; other processes show it. */
    public void publicUrl(String publicUrl) {
        url = publicUrl;
    }

    /** Where people reach this process; empty before that is known. */
    public String publicUrl() {
        return url;
    }

    /**
     * Takes the host's place; {@code closeLink} is run if a newer link of the host takes over, on
     * the newcomer's thread.
     */
    public Lease claim(LinkClaims claims, Runnable closeLink) {
        HostId host = claims.host();
        String id = ids.next();
        Lease lease =
                new Lease() {
                    @Override
                    public void close() {
                        entries.computeIfPresent(
                                host, (_, entry) -> entry.lease() == this ? null : entry);
                        release(host, id);
                        changed();
                    }
                };
        AtomicReference<@Nullable Entry> replaced = new AtomicReference<>();
        entries.compute(
                host,
                (_, entry) -> {
                    if (entry != null && !entry.place().equals(claims.place())) {
                        throw duplicate(host);
                    }
                    replaced.set(entry);
                    return new Entry(claims.place(), closeLink, lease);
                });
        Entry old = replaced.get();
        if (old != null) {
            old.close().run();
        }
        if (shared.isPresent() && !shared.get().claim(claims, id, url)) {
            lease.close();
            throw duplicate(host);
        }
        changed();
        return lease;
    }

    /**
     * Refuses what a copy asks without a link while the host is linked from another place: else
     * both would be given the host's jobs.
     */
    public void refuseClonedHost(LinkClaims claims) {
        Entry here = entries.get(claims.host());
        Linked there = urlOfOtherProcess.get(claims.host());
        boolean copy =
                here != null
                        ? !here.place().equals(claims.place())
                        : there != null && !there.place().equals(claims.place());
        if (copy) {
            throw duplicate(claims.host());
        }
    }

    private void changed() {
        watchers.forEach(Runnable::run);
    }

    private void release(HostId host, String lease) {
        try {
            shared.ifPresent(store -> store.release(host, lease));
        } catch (SkepException unreachable) {
            // It runs out by itself.
        }
    }

    /**
     * Reports to the other processes on the database that this one is alive, and reads their links.
     * Called every few seconds; the next call makes up for one that fails.
     */
    public void renewAndRefresh() {
        try {
            shared.ifPresent(this::renewAndRefresh);
        } catch (SkepException unreachable) {
            // Other users of the database report that it is unreachable.
        }
    }

    private void renewAndRefresh(LinkedHostStore store) {
        store.renew();
        refresh(store);
    }

    /** Another process announced that it opened or closed a link. */
    public void refresh() {
        try {
            shared.ifPresent(this::refresh);
        } catch (SkepException unreachable) {
            // The next look makes it good.
        }
    }

    private synchronized void refresh(LinkedHostStore store) {
        Map<HostId, Linked> before = urlOfOtherProcess;
        Map<HostId, Linked> now =
                store.heldByOtherProcesses().stream()
                        .collect(Collectors.toMap(linked -> linked.host().id(), linked -> linked));
        urlOfOtherProcess = now;
        List<Principal.Host> moved =
                Stream.concat(
                                before.values().stream()
                                        .filter(linked -> !now.containsKey(linked.host().id())),
                                now.values().stream()
                                        .filter(linked -> !before.containsKey(linked.host().id())))
                        .map(Linked::host)
                        .toList();
        moved.forEach(host -> listeners.forEach(listener -> listener.accept(host)));
        if (!moved.isEmpty()) {
            changed();
        }
    }

    /** Runs the watcher when a link opened or closed, here or elsewhere. It must not block. */
    public void onChange(Runnable watcher) {
        watchers.add(watcher);
    }

    /** Runs the listener when a host is linked to another process, or no longer is. */
    public void onChangeElsewhere(Consumer<Principal.Host> listener) {
        listeners.add(listener);
    }

    /** Whether the host is linked to this process or, as of the last look, to another. */
    public boolean isLive(HostId host) {
        return entries.containsKey(host) || urlOfOtherProcess.containsKey(host);
    }

    /** Where another process of this hub is reached that holds the host's link. */
    public Optional<String> urlOfOtherProcess(HostId host) {
        return shared.flatMap(store -> store.url(host));
    }

    public int count() {
        return entries.size();
    }

    private static SkepException duplicate(HostId host) {
        return new SkepException(
                ErrorCode.DUPLICATE_HOST,
                "host %s is connected from another machine or folder; stop one of them, and give a copied data dir an identity of its own by removing its runner.key and runner.db"
                        .formatted(host));
    }
}
