/**
 * Stopping all agents of an org at once, and letting them go again. The hub remembers what is
 * wanted; hosts ask for it and say what they did, so that one that was away learns of it first.
 */
@NullMarked
package dev.skep.dispatch.hold;

import org.jspecify.annotations.NullMarked;
