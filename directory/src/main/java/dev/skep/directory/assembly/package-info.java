/** The directory of one database, put together: its services, its routes, and who is asking. */
@NullMarked
package dev.skep.directory.assembly;

import org.jspecify.annotations.NullMarked;
