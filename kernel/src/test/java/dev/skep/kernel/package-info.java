@NullMarked
package dev.skep.kernel;

import org.jspecify.annotations.NullMarked;
