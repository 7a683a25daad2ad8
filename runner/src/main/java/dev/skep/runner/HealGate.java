package dev.skep.runner;

import dev.skep.directory.host.JoinedHub;
import dev.skep.directory.host.LocalHost;
import dev.skep.runner.loop.AgentListener;
import dev.skep.runner.mail.UnreadMail;
import dev.skep.sync.link.HealListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps mail that agents have already read from waking them again after their database was restored
 * to an earlier state: other hosts' mail returns with the first page of a link, but that it was
 * read returns only with the last page of the heal. From the first link of this process until the
 * hub agrees, mail from elsewhere wakes no agent; from the moment the database is known to be
 * behind until all is given back, no mail does, and no agent starts.
 *
 * <p>A database does not go back under a running process, so one agreement with a hub is enough. A
 * host without a link waits for nothing, unless a heal was cut off. Thread-safe.
 */
final class HealGate implements HealListener, UnreadMail.Knowledge {
    /** How long mail from elsewhere waits for a hub whose first link broke. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration LONG = Duration.ofDays(1);

    private static final Logger LOG = LoggerFactory.getLogger(HealGate.class);

    private final LocalHost host;
    private final AgentListener agentListener;
    private final LongSupplier nanoTime;
    private final Runnable answered;
    private final Runnable eased;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    /** The hubs whose first agreement is waited for. */
    private final Map<String, FirstLink> waited = new HashMap<>();

    private final Set<String> agreed = new HashSet<>();

    /** The hubs that are giving back, or have begun to. */
    private final Set<String> healing = new HashSet<>();

    /**
     * The state of a hub's first links until it has agreed. A hub that refuses each of them does
     * not delay for long.
     *
     * @param brokenAt when the first of them broke
     */
    private record FirstLink(boolean isOpen, OptionalLong brokenAt) {
        static final FirstLink NEW = new FirstLink(true, OptionalLong.empty());

        FirstLink opened() {
            return new FirstLink(true, brokenAt);
        }

        FirstLink broken(long now) {
            return new FirstLink(false, OptionalLong.of(brokenAt.orElse(now)));
        }

        /** For how long it is waited for, if nothing happens. */
        Duration left(long now) {
            Duration gone = Duration.ofNanos(now - brokenAt.orElse(now));
            if (isOpen) {
                return LONG;
            }
            return gone.compareTo(PATIENCE) < 0 ? PATIENCE.minus(gone) : Duration.ZERO;
        }
    }

    /**
     * Everything is open.
     *
     * @param answered runs when an awaited hub has given back what it had
     * @param eased runs when more mail may be announced, or agents may start; must not block
     */
    HealGate(
            LocalHost host,
            AgentListener agentListener,
            LongSupplier nanoTime,
            Runnable answered,
            Runnable eased) {
        this.host = host;
        this.agentListener = agentListener;
        this.nanoTime = nanoTime;
        this.answered = answered;
        this.eased = eased;
        host.keys().onHubs(this::forgetLeft);
    }

    /** What keeps agents from starting, in words; empty if nothing does. */
    Optional<String> waitsFor() {
        lock.readLock().lock();
        try {
            if (healing.isEmpty()) {
                return Optional.empty();
            }
            String gone =
                    healing.stream()
                            .filter(hub -> !waited.getOrDefault(hub, FirstLink.NEW).isOpen())
                            .map(this::name)
                            .sorted()
                            .collect(Collectors.joining(" and "));
            return Optional.of(
                    gone.isEmpty()
                            ? "the database of this host is older than what %s knows: agents wait until all is given back"
                                    .formatted(names())
                            : "%s disconnected while it was returning what this host's database lost: agents wait for it; a start with %s continues without it"
                                    .formatted(gone, LostDatabaseRecovery.SKIP));
        } finally {
            lock.readLock().unlock();
        }
    }

    private String names() {
        return healing.stream().map(this::name).sorted().collect(Collectors.joining(" and "));
    }

    private String name(String hub) {
        return host.keys().hubs().stream()
                .filter(joined -> joined.hubId().equals(hub))
                .map(JoinedHub::url)
                .findFirst()
                .orElse(hub);
    }

    @Override
    public <T> T during(Function<UnreadMail.Known, T> reading) {
        lock.readLock().lock();
        try {
            return reading.apply(known());
        } finally {
            lock.readLock().unlock();
        }
    }

    private UnreadMail.Known known() {
        if (!healing.isEmpty()) {
            return UnreadMail.Known.NONE;
        }
        long now = nanoTime.getAsLong();
        return waited.values().stream().allMatch(link -> link.left(now).isZero())
                ? UnreadMail.Known.ALL
                : UnreadMail.Known.FROM_HERE;
    }

    /** After how long to look again, if nothing else happens. */
    Duration lookAgainIn() {
        lock.readLock().lock();
        try {
            long now = nanoTime.getAsLong();
            return waited.values().stream()
                    .map(link -> link.left(now))
                    .filter(Duration::isPositive)
                    .min(Duration::compareTo)
                    .orElse(LONG);
        } finally {
            lock.readLock().unlock();
        }
    }

    @Override
    public void opened(String hub) {
        change(() -> !agreed.contains(hub) && opens(hub));
    }

    @Override
    public void behind(String hub) {
        // For a start before the heal is complete.
        host.awaited().await(hub);
        change(
                () -> {
                    opens(hub);
                    return healing.add(hub);
                });
        announceWait();
    }

    @Override
    public void agreed(String hub) {
        boolean healed =
                change(
                        () -> {
                            agreed.add(hub);
                            waited.remove(hub);
                            return healing.remove(hub);
                        });
        if (healed) {
            LOG.info("all is given back that this host's database had lost hub={}", name(hub));
        }
        if (host.awaited().answered(hub)) {
            answered.run();
        }
        eased.run();
    }

    @Override
    public void closed(String hub) {
        boolean cut =
                change(
                        () -> {
                            waited.computeIfPresent(
                                    hub, (_, link) -> link.broken(nanoTime.getAsLong()));
                            return healing.contains(hub);
                        });
        if (cut) {
            announceWait();
        }
        eased.run();
    }

    private void announceWait() {
        waitsFor()
                .ifPresent(
                        words -> {
                            LOG.warn(words);
                            agentListener.told(words);
                        });
    }

    private boolean opens(String hub) {
        waited.merge(hub, FirstLink.NEW, (before, _) -> before.opened());
        return true;
    }

    private boolean change(BooleanSupplier change) {
        lock.writeLock().lock();
        try {
            return change.getAsBoolean();
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** One this host has left gives nothing back. */
    private void forgetLeft() {
        Set<String> hubs =
                host.keys().hubs().stream().map(JoinedHub::hubId).collect(Collectors.toSet());
        boolean fewer =
                change(
                        () -> {
                            boolean less = waited.keySet().retainAll(hubs);
                            return healing.retainAll(hubs) || less;
                        });
        if (fewer) {
            eased.run();
        }
    }
}
