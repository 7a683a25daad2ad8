/** {@code ./skep bench}: named figures, each beside what it is compared with, in one run. */
@NullMarked
package dev.skep.benchmark;

import org.jspecify.annotations.NullMarked;
