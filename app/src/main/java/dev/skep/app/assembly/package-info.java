/** The one place that composes the modules into a running process. */
@NullMarked
package dev.skep.app.assembly;

import org.jspecify.annotations.NullMarked;
