@NullMarked
package dev.skep.directory.operator;

import org.jspecify.annotations.NullMarked;
