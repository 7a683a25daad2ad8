/**
 * What tells people: which kinds of things each wants to know, and how.
 *
 * <p>A reason (an alert that is raised, mail that arrived) becomes a notice of each channel that
 * chose its kind, in the transaction that found it. The notices of a channel wait for a while and
 * leave together, as one message, in the transaction that removes them:
 *
 * <pre>
 * notice ──its time has come──► delivery of the channel, which is sent like those of webhooks
 *    └──what it is about is over──► nothing
 * </pre>
 *
 * A process that dies loses no notice and repeats none; the other side of a delivery can get it
 * twice, under the same id.
 */
@NullMarked
package dev.skep.dispatch.notification;

import org.jspecify.annotations.NullMarked;
