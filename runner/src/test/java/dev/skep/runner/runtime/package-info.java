@NullMarked
package dev.skep.runner.runtime;

import org.jspecify.annotations.NullMarked;
