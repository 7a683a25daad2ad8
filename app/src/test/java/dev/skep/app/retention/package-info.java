/** What other programs write into our folders. */
@NullMarked
package dev.skep.app.retention;

import org.jspecify.annotations.NullMarked;
