/**
 * The queue in Redis, the ledger in SQL.
 *
 * <p>SQL is the truth about what a run's state is; Redis is the truth about order, limits and
 * leases. Every operation is one script, hence atomic, and steps are ordered so that a crash
 * between the two leaves something a later look repairs:
 *
 * <ul>
 *   <li>create: SQL, then Redis. Missing in Redis: the reconciler adds it.
 *   <li>claim: Redis, then SQL, then the host is told. Missing in SQL: the lease runs out and the
 *       run, still pending there, goes back to the queue; nobody had been told.
 *   <li>end: SQL, then Redis. Left in Redis: the lease runs out and it is forgotten.
 *   <li>Redis comes back empty: it says so to the first claim, and the queues are rebuilt from SQL.
 * </ul>
 *
 * Keys: {@code jobs:ORG} (run → its data as JSON), {@code jobs:ORG:HOST} (what waits, in order),
 * {@code jobs:leases}, {@code jobs:cancels}, {@code jobs:generation}, {@code host:HOST:running},
 * {@code host:HOST:jobs_minute:MINUTE}.
 */
@NullMarked
package dev.skep.dispatch.queue.redis;

import org.jspecify.annotations.NullMarked;
