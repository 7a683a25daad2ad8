/**
 * WebSockets with a bounded outgoing queue. A sender waits for room or learns that there is none. A
 * receiver takes one message at a time and thereby slows the peer. A socket goes from <i>open</i>
 * to <i>closed</i> once, and its handler is notified of that last.
 */
@NullMarked
package dev.skep.transport.socket;

import org.jspecify.annotations.NullMarked;
