/** Tests of the package. */
@NullMarked
package dev.skep.transport.client;

import org.jspecify.annotations.NullMarked;
