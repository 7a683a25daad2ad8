/**
 * The command line as a whole: the list of all commands, those of them that start or compose a
 * process, and the edge where failures become lines and exit statuses.
 */
@NullMarked
package dev.skep.app.command;

import org.jspecify.annotations.NullMarked;
