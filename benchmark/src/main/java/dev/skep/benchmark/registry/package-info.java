/** The registry in a process of its own: starting, announcing, proxying. */
@NullMarked
package dev.skep.benchmark.registry;

import org.jspecify.annotations.NullMarked;
