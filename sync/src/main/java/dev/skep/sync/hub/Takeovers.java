package dev.skep.sync.hub;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.feed.FeedClock;
import dev.skep.sync.SyncStore;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * An operator's decision that a host takes over an agent of another. The hub tells the host until
 * the agent's row carries the new generation, which outranks whatever the old owner still writes.
 */
public final class Takeovers {
    private final SyncStore store;
    private final HubSync hub;
    private final InstantSource clock;
    private final RandomGenerator random;

    public Takeovers(SyncStore store, HubSync hub, InstantSource clock, RandomGenerator random) {
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
                            long next =
                                    FeedClock.nextEpoch(tx.generation(org, userId), clock, random);
                            // Made like an epoch, so that two hubs do not choose the same.
                            tx.grant(org, to, userId, next);
                            return next;
                        });
        hub.remind(List.of(to.value()));
        return gen;
    }

    /** Says on this hub what was decided on another. */
    public void confirm(OrgId org, HostId to, String userId, long gen) {
        store.write(
                tx -> {
                    tx.grant(org, to, userId, gen);
                    return gen;
                });
        hub.remind(List.of(to.value()));
    }
}
