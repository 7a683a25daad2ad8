/**
 * The sources, answered by the features that are of this process: directory, dispatch, registry,
 * sync.
 */
@NullMarked
package dev.skep.supervisor.feature;

import org.jspecify.annotations.NullMarked;
