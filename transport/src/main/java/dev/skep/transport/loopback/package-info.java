/**
 * A small HTTP/1.1 server for the programs that a runner starts on its own machine.
 *
 * <pre>
 *  connection:  reading a head ──▶ handling ──▶ reading the next head
 *                     │               │
 *                     ▼               ▼ the client left: onGone, then closed
 *                   closed (idle, malformed, or the server closes)
 * </pre>
 *
 * <p>It listens on 127.0.0.1 only, in plain text, with a virtual thread per connection. Bodies and
 * answers stream; what a handler flushes is sent at once. Unlike the listener of {@code
 * transport.http} it notices a client that leaves while an answer is still being waited for, which
 * is what ends a paid call early.
 */
@NullMarked
package dev.skep.transport.loopback;

import org.jspecify.annotations.NullMarked;
