/**
 * Who is told when something needs a person, and how that is made sure.
 *
 * <p>An alert is raised in the transaction that found its reason, together with one delivery for
 * each webhook that wants it. A delivery waits, is tried, waits longer, and is at last done or
 * given up:
 *
 * <pre>
 * waiting ──taken (2xx)──► done
 *    ├──refused or unreachable──► waiting, later  ──too often──► failed
 *    └──410──► failed, and its webhook is disabled
 * </pre>
 */
@NullMarked
package dev.skep.dispatch.alert;

import org.jspecify.annotations.NullMarked;
