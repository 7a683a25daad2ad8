/** The HTTP routes of the directory, which the command line uses too. */
@NullMarked
package dev.skep.directory.routes;

import org.jspecify.annotations.NullMarked;
