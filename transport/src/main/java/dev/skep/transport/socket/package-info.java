/**
 * WebSockets with a bounded outgoing side. Whoever sends waits for room or is told that there is
 * none; whoever receives takes one message at a time and slows the peer by taking its time. A
 * socket goes from <i>open</i> to <i>closed</i> once, and its handler hears that last.
 */
@NullMarked
package dev.skep.transport.socket;

import org.jspecify.annotations.NullMarked;
