/**
 * The change feed: stamps taken in the writing transaction, one merged stream over all synced
 * tables, and rows applied only when newer and from their owner.
 */
@NullMarked
package dev.skep.store.feed;

import org.jspecify.annotations.NullMarked;
