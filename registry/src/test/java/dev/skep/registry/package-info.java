/** The registry's protocol, row by row, spoken by clients of our own over real sockets. */
@NullMarked
package dev.skep.registry;

import org.jspecify.annotations.NullMarked;
