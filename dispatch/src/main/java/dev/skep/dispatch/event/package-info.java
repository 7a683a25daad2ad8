/** Events of an org as they happen. A client that reconnects receives those it missed. */
@NullMarked
package dev.skep.dispatch.event;

import org.jspecify.annotations.NullMarked;
