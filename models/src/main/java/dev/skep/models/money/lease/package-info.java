/**
 * What this host may spend of the budgets of its hubs.
 *
 * <p>A hub lends a part of a budget for a time: a lease. Its states are open, draining (calls under
 * way end, none begins), closed (to be returned), and settled (the hub has taken it back). {@link
 * dev.skep.models.money.lease.LeaseWallet} decides without I/O; {@link
 * dev.skep.models.money.lease.LeaseStore} keeps what it decides in the database, in the transaction
 * in which a call begins. Backups leave the leases out: a host that was put back to an earlier
 * state spends nothing before its hubs have answered.
 */
@NullMarked
package dev.skep.models.money.lease;

import org.jspecify.annotations.NullMarked;
