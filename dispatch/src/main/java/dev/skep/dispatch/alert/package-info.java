/**
 * Alerts about what needs a person, and their reliable delivery to webhooks.
 *
 * <p>An alert is raised in the transaction that found its reason, together with one delivery for
 * each webhook that subscribes to it. A delivery is tried with growing pauses until it is done or
 * failed:
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
