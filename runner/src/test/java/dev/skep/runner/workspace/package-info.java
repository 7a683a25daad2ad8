@NullMarked
package dev.skep.runner.workspace;

import org.jspecify.annotations.NullMarked;
