/**
 * The queue in Redis, the ledger in SQL.
 *
 * <p>SQL is the truth about what a run's state is and how long its lease lasts; Redis is the truth
 * about order and limits. Every operation is one script, hence atomic, and steps are ordered so
 * that a later check repairs what a crash between the two leaves:
 *
 * <ul>
 *   <li>create: SQL, then Redis. Missing in Redis: the reconciler adds it.
 *   <li>claim: Redis, then SQL, then the host is answered. Redis records what each group took until
 *       it is recorded; after the length of a lease, runs that are still pending in SQL go back to
 *       the queue, since no host had received them.
 *   <li>end, with a claim: its slot is freed in Redis while SQL records it. Missing in SQL: its
 *       host reports again, or its lease runs out. Left in Redis: as below.
 *   <li>end, without one: SQL, then Redis. Left in Redis: slots are compared with SQL as often as a
 *       lease lasts.
 *   <li>Redis comes back empty: the first claim notices, and the queues are rebuilt from SQL.
 * </ul>
 *
 * Keys: {@code jobs:ORG} (run → its data as JSON), {@code jobs:ORG:HOST} (what waits, in order),
 * {@code jobs:taken} (group → when others may look after it, and its runs), {@code
 * jobs:generation}, {@code host:HOST:running}, {@code host:HOST:jobs_minute:MINUTE}.
 */
@NullMarked
package dev.skep.dispatch.queue.redis;

import org.jspecify.annotations.NullMarked;
