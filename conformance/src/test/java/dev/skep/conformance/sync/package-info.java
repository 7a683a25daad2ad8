/** Hubs and runners over real sockets and lines that are slow or silent. */
@NullMarked
package dev.skep.conformance.sync;

import org.jspecify.annotations.NullMarked;
