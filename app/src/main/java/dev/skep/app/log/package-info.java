/** The log file of a data dir, and the place where unexpected failures are written. */
@NullMarked
package dev.skep.app.log;

import org.jspecify.annotations.NullMarked;
