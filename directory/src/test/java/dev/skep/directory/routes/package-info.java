@NullMarked
package dev.skep.directory.routes;

import org.jspecify.annotations.NullMarked;
