/**
 * Hosts as a hub sees them: their beats, their status, their labels.
 *
 * <pre>
 * unknown ──first beat──► online ◄──2 beats in a row── offline
 *                           │  ▲                          ▲
 *             reason given  ▼  │ reason gone              │ nothing heard for the threshold
 *                         degraded ───────────────────────┘   (from online and degraded)
 * </pre>
 *
 * A host that missed two beats is suspect: it is shown as silent, and nothing else changes. Only
 * the hub's own clock is used. After a start the hub waits one threshold before it calls anybody
 * offline, because it was the one that did not listen.
 */
@NullMarked
package dev.skep.dispatch.host;

import org.jspecify.annotations.NullMarked;
