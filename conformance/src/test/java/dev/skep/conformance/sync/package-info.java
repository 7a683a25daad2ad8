/** How far sync is, in databases of earlier versions. */
@NullMarked
package dev.skep.conformance.sync;

import org.jspecify.annotations.NullMarked;
