/** The sources, answered by the features that are on this hub: directory and dispatch. */
@NullMarked
package dev.skep.supervisor.feature;

import org.jspecify.annotations.NullMarked;
