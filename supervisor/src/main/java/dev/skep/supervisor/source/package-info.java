/**
 * Interfaces for what a hub, a runner and a mere reader of a database know or do differently: a hub
 * sees more of its hosts than a runner does of others, and a reader of a database sees less than
 * its process. A page whose source is missing says so; nothing else depends on it. What is in
 * tables is read by {@code dev.skep.supervisor.view}.
 */
@NullMarked
package dev.skep.supervisor.source;

import org.jspecify.annotations.NullMarked;
