/** Where the process begins. */
@NullMarked
package dev.skep.app;

import org.jspecify.annotations.NullMarked;
