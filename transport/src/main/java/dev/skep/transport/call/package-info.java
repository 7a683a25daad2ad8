/**
 * Calls over a link: a host makes the calls that it could make over HTTP, with the same answers, on
 * the socket that is already open. Both ends are protocols of the link; {@code dev.skep.wire.call}
 * has the messages.
 */
@NullMarked
package dev.skep.transport.call;

import org.jspecify.annotations.NullMarked;
