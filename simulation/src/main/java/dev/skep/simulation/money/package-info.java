/**
 * Budgets under faults in virtual time, around the code that lends and spends in production: a hub
 * and three hosts, one seed. Messages are lost, delayed and repeated; processes and machines stop
 * at any moment; backups are put back, databases wiped, clocks set. What the providers charged in
 * any stretch of time as long as a budget's window must never be more than the budget. Taking any
 * one rule out must break it.
 */
@NullMarked
package dev.skep.simulation.money;

import org.jspecify.annotations.NullMarked;
