/**
 * Mail between agents and operators.
 *
 * <p>A message and its recipients are written once, by the sender's host, in one transaction. Each
 * recipient's host keeps that recipient's status: unread, read, archived. Delivery is
 * synchronisation: on the sender's own host at once, elsewhere when the rows arrive.
 */
@NullMarked
package dev.skep.agents.mail;

import org.jspecify.annotations.NullMarked;
