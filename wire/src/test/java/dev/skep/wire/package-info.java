@NullMarked
package dev.skep.wire;

import org.jspecify.annotations.NullMarked;
