/** {@code skep run} on a terminal: a readable stream of what agents do, and a prompt to them. */
@NullMarked
package dev.skep.runner.terminal;

import org.jspecify.annotations.NullMarked;
