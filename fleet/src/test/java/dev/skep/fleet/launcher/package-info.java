/** The launcher as its users meet it: a script in a folder, run as a process. */
@NullMarked
package dev.skep.fleet.launcher;

import org.jspecify.annotations.NullMarked;
