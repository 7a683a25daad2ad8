/**
 * Mail between agents and operators.
 *
 * <p>The sender's host writes a message and its recipients once, in one transaction. Each
 * recipient's host keeps that recipient's status: unread, read, archived. Sync delivers: on the
 * sender's own host at once, elsewhere when the rows arrive.
 */
@NullMarked
package dev.skep.agents.mail;

import org.jspecify.annotations.NullMarked;
