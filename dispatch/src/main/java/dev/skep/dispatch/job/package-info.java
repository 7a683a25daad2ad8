/**
 * Jobs and their runs, and what follows from what happens to them; no I/O, no clock.
 *
 * <p>A job is a request for one host. A run is one attempt at it:
 *
 * <pre>
 * pending ──claim──► running ──report──► succeeded | failed | cancelled | timed_out
 *    │                  ├─deadline passed, and the host did not say so──► timed_out
 *    │                  └─lease ran out──► lost (cancelled if that was asked for)
 *    └──cancel──► cancelled
 * </pre>
 *
 * A run that failed, timed out or was lost is followed by a new pending run with the next attempt
 * while its allowance lasts; failures and losses have an allowance each. The attempt is the fencing
 * token: a report counts only for a running run and its own attempt, any other is kept beside it.
 */
@NullMarked
package dev.skep.dispatch.job;

import org.jspecify.annotations.NullMarked;
