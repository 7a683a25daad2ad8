/**
 * Connections to addresses that people gave: checked before they are dialled, and dialled as they
 * were checked.
 */
@NullMarked
package dev.skep.dispatch.outgoing;

import org.jspecify.annotations.NullMarked;
