/**
 * The link between a runner and a hub: one WebSocket, dialled by the runner, shared by several
 * kinds of traffic.
 *
 * <p>A kind of traffic is a {@link dev.skep.transport.link.LinkProtocol} on each end; it names the
 * message types and binary tags it takes and gets a channel per link. Frames go out in three lanes:
 * urgent ones overtake whatever else waits, so a heartbeat is behind at most the one page that is
 * being written; bulk and streams take turns. Each end pings; an end that hears nothing for long
 * cuts the socket, and the runner dials again after a pause that grows and varies.
 */
@NullMarked
package dev.skep.transport.link;

import org.jspecify.annotations.NullMarked;
