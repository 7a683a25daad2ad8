@NullMarked
package dev.skep.directory.secret;

import org.jspecify.annotations.NullMarked;
