/** What agents leave behind, on every database. */
@NullMarked
package dev.skep.conformance.agents;

import org.jspecify.annotations.NullMarked;
