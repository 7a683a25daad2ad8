/**
 * The command line: one class per command, and the edge where failures become lines and exit
 * statuses.
 */
@NullMarked
package dev.skep.app.command;

import org.jspecify.annotations.NullMarked;
