package dev.skep.sync.hub;

import dev.skep.directory.HostTable;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.sync.SyncStore;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * An operator's decision that a host takes over an agent of another. The hub repeats it to the host
 * until the agent's row carries the new generation, which outranks whatever the old owner still
 * writes.
 */
public final class TakeoverService {
    private static final long ZERO_SECONDS = 1_767_225_600;
    private static final int CHANCE = 1 << 20;

    private final SyncStore store;
    private final HubSync hub;
    private final InstantSource clock;
    private final RandomGenerator random;

    public TakeoverService(
            SyncStore store, HubSync hub, InstantSource clock, RandomGenerator random) {
        this.store = store;
        this.hub = hub;
        this.clock = clock;
        this.random = random;
    }

    /** Gives an agent to a host and returns the generation, for confirming it on other hubs. */
    public long grant(OrgId org, HostId to, String userId) {
        long gen =
                store.write(
                        tx -> {
                            // One whose takeover was lost is known only by the rows that wait.
                            boolean known =
                                    tx.holds(org, hub.schema().agents(), userId)
                                            || tx.isAwaited(org, userId);
                            require(known, "agent", userId);
                            require(tx.holds(org, HostTable.HOSTS, to.value()), "host", to.value());
                            long next = above(tx.generation(org, userId));
                            tx.grant(org, to, userId, next);
                            return next;
                        });
        hub.remind(List.of(to.value()));
        return gen;
    }

    /** A mistyped id would outrank the grant before it and never be carried out. */
    private static void require(boolean known, String what, String id) {
        if (!known) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "this hub knows no %s %s; check the id".formatted(what, id));
        }
    }

    /** Repeats on this hub a decision from another; its agent may arrive here later. */
    public void confirm(OrgId org, HostId to, String userId, long gen) {
        store.write(
                tx -> {
                    tx.grant(org, to, userId, gen);
                    return gen;
                });
        hub.remind(List.of(to.value()));
    }

    /**
     * From the clock, so that the later decision wins, with a random part, so that two operators
     * who decide in the same second on two hubs do not choose the same; fits a JSON number.
     */
    private long above(long gen) {
        long seconds = clock.instant().getEpochSecond() - ZERO_SECONDS;
        return Math.max(
                gen + 1 + random.nextInt(CHANCE), seconds * CHANCE + random.nextInt(CHANCE));
    }
}
