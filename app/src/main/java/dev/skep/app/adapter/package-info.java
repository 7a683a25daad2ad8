/** Adapters: one feature's small interface, implemented with another feature. */
@NullMarked
package dev.skep.app.adapter;

import org.jspecify.annotations.NullMarked;
