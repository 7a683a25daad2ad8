/** The one listener of a process and the table of routes it serves. */
@NullMarked
package dev.skep.transport;

import org.jspecify.annotations.NullMarked;
