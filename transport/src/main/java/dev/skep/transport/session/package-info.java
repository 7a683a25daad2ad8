/**
 * Sessions over a link: a hub reaches processes beside a runner, many at once, on the socket that
 * is already open. Messages pass whole and in order; each session and direction has a window of its
 * own, so an unread session delays neither the link nor the other sessions.
 *
 * <p>A session is <i>open</i> from the hub's {@code open}, without waiting for an answer, until
 * either side sends {@code close} or the link is gone (1006). What arrived before is delivered
 * first. Frames are binary: the tag, a kind, the session's number (4 bytes, chosen by the hub,
 * never twice on one link), and
 *
 * <pre>
 * 1 open    what is to be reached, UTF-8
 * 2–5       a part of a text (2), the last part of a text (3), the same of a binary message (4, 5)
 * 6 credit  4 bytes: so much more may be sent; at the start it is {@code LinkSession.WINDOW}
 * 7 close   2 bytes code, reason in UTF-8
 * </pre>
 */
@NullMarked
package dev.skep.transport.session;

import org.jspecify.annotations.NullMarked;
