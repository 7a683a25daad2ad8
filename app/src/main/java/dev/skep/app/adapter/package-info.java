/** What one feature asks for by a small interface of its own, fulfilled by another feature. */
@NullMarked
package dev.skep.app.adapter;

import org.jspecify.annotations.NullMarked;
