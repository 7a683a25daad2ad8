/** The directory of one database as a whole: its services, its routes, and who is calling. */
@NullMarked
package dev.skep.directory.assembly;

import org.jspecify.annotations.NullMarked;
