/** Tests. */
@NullMarked
package dev.skep.supervisor.live;

import org.jspecify.annotations.NullMarked;
