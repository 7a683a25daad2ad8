@NullMarked
package dev.skep.conformance.copy;

import org.jspecify.annotations.NullMarked;
