/** What a process tells of itself. */
@NullMarked
package dev.skep.app.assembly;

import org.jspecify.annotations.NullMarked;
