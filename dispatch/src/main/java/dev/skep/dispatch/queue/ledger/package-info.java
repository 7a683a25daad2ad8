/**
 * The durable state of jobs and runs, whichever engine orders them.
 *
 * <p>Locks are always taken in one order: hosts' slots by host id, then runs by id. SQLite needs
 * none, because it has one writer.
 */
@NullMarked
package dev.skep.dispatch.queue.ledger;

import org.jspecify.annotations.NullMarked;
