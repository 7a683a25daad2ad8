@NullMarked
package dev.skep.directory;

import org.jspecify.annotations.NullMarked;
