/** The supervisor in a real browser. */
@NullMarked
package dev.skep.browser;

import org.jspecify.annotations.NullMarked;
