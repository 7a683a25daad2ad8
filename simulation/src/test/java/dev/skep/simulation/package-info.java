/** The proof in the build: seeds hold, and none of the rules is there for show. */
@NullMarked
package dev.skep.simulation;

import org.jspecify.annotations.NullMarked;
