/**
 * Hosts as a hub sees them: their heartbeats, their status, their labels.
 *
 * <pre>
 * unknown ──first beat──► online ◄──2 beats in a row── offline
 *                           │  ▲                          ▲
 *             reason given  ▼  │ reason gone              │ no heartbeat for the threshold
 *                         degraded ───────────────────────┘   (from online and degraded)
 * </pre>
 *
 * A host that missed two heartbeats is shown as silent, and nothing else changes. Only the hub's
 * own clock is used. After a start the hub waits one threshold before it marks a host offline,
 * because the hub itself was away.
 */
@NullMarked
package dev.skep.dispatch.host;

import org.jspecify.annotations.NullMarked;
