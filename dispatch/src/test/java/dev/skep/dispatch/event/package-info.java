/** What happened, and who is told. */
@NullMarked
package dev.skep.dispatch.event;

import org.jspecify.annotations.NullMarked;
