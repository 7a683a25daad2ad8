/**
 * Commands that wait for a person's approval.
 *
 * <p>An approval is pending, then approved or denied; one that nobody decides in time is denied. It
 * is stored before the wait begins, so a restarted runner waits for the same one.
 */
@NullMarked
package dev.skep.runner.approval;

import org.jspecify.annotations.NullMarked;
