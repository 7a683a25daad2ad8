/** The protocol's page, and a hub's end against hosts that do not keep to it. */
@NullMarked
package dev.skep.sync;

import org.jspecify.annotations.NullMarked;
