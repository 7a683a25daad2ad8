/** Facts of an org as they happen, for sockets that may come back and ask what they missed. */
@NullMarked
package dev.skep.dispatch.event;

import org.jspecify.annotations.NullMarked;
