@NullMarked
package dev.skep.fleet;

import org.jspecify.annotations.NullMarked;
