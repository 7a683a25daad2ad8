/**
 * Enforces spend limits before money is spent.
 *
 * <p>Before a call its maximum price is reserved. A call that could exceed a limit, its agent's or
 * the runner's, is refused with the reason and the time when enough old spending has left the
 * window. After the call the reservation is replaced by the actual cost.
 */
@NullMarked
package dev.skep.models.money;

import org.jspecify.annotations.NullMarked;
