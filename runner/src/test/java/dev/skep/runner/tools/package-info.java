@NullMarked
package dev.skep.runner.tools;

import org.jspecify.annotations.NullMarked;
