@NullMarked
package dev.skep.directory.host;

import org.jspecify.annotations.NullMarked;
