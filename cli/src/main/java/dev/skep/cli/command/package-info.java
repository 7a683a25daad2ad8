/**
 * The commands that talk to the process of a data dir, one class for each, and what all commands
 * share. The app lists them, beside those that start or compose a process.
 */
@NullMarked
package dev.skep.cli.command;

import org.jspecify.annotations.NullMarked;
