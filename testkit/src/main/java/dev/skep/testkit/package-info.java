/** What tests and benchmarks share: real databases in temporary places, and a clock they set. */
@NullMarked
package dev.skep.testkit;

import org.jspecify.annotations.NullMarked;
