/** Jobs and runs as people and programs read them; always of the caller's org. */
@NullMarked
package dev.skep.dispatch.view;

import org.jspecify.annotations.NullMarked;
