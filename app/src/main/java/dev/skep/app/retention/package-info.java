/**
 * What a process deletes by itself, so that it does not fill its disk in a year: old rows by kind,
 * then the oldest rows of a file that exceeds its size limit, and long logs.
 */
@NullMarked
package dev.skep.app.retention;

import org.jspecify.annotations.NullMarked;
