/**
 * What a process forgets by itself, so that one left alone for a year does not fill its disk: old
 * rows by kind, then the oldest of all where a file has outgrown its limit, and long logs.
 */
@NullMarked
package dev.skep.app.retention;

import org.jspecify.annotations.NullMarked;
