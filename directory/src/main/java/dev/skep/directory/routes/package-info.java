/** What the directory answers over HTTP, and to the command line. */
@NullMarked
package dev.skep.directory.routes;

import org.jspecify.annotations.NullMarked;
