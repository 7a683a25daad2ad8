/**
 * Budgets that a hub keeps for hosts, labels, agents and its org.
 *
 * <p>A budget belongs to the hub it was made at. It is lent to hosts in leases, each an amount and
 * a time. {@link dev.skep.dispatch.budget.LendingBook} decides without I/O what is lent and when it
 * is free again. A lease that is not returned counts in full until its use-by plus one window; what
 * was spent of a returned one counts for one window from its return. Time is counted by {@link
 * dev.skep.dispatch.budget.LendingClock}. After a restore the hub lends nothing until each of its
 * hosts has told what it holds.
 */
@NullMarked
package dev.skep.dispatch.budget;

import org.jspecify.annotations.NullMarked;
