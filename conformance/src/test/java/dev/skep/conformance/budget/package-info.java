@NullMarked
package dev.skep.conformance.budget;

import org.jspecify.annotations.NullMarked;
