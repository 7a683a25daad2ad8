/**
 * Spending, stopped before it happens.
 *
 * <p>Before a call its dearest possible price is reserved; a call that could pass a limit, its
 * agent's or the runner's, is refused with the reason and the time when enough old spending has
 * left the window. After the call the reservation gives way to what it really cost.
 */
@NullMarked
package dev.skep.models.money;

import org.jspecify.annotations.NullMarked;
