/** How soon what a person wants of many agents is done on all hosts. */
@NullMarked
package dev.skep.benchmark.control;

import org.jspecify.annotations.NullMarked;
