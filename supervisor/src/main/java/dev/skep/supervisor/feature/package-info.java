/**
 * The sources, implemented over the features of this process: directory, dispatch, registry, sync.
 */
@NullMarked
package dev.skep.supervisor.feature;

import org.jspecify.annotations.NullMarked;
