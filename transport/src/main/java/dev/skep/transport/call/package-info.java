/**
 * Calls over a link: a host asks what it could ask over HTTP, with the same answers, on the socket
 * it has open anyway. Both ends are protocols of the link; {@code dev.skep.wire.call} has the
 * messages.
 */
@NullMarked
package dev.skep.transport.call;

import org.jspecify.annotations.NullMarked;
