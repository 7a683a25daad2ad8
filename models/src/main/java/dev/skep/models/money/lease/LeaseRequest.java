package dev.skep.models.money.lease;

import dev.skep.store.clock.ClockReading;

/**
 * A lease that this host has asked for. It is kept until the hub has answered, so that the same
 * request is repeated with the same id and granted once.
 *
 * @param at when it was first asked for; the lease counts from then
 */
public record LeaseRequest(String id, BudgetKey key, long least, long most, ClockReading at) {
    /** The clocks cannot tell any more how long ago it was: what it is granted is over at once. */
    LeaseRequest undated() {
        return new LeaseRequest(id, key, least, most, new ClockReading(at.wall(), at.boot(), ""));
    }
}
