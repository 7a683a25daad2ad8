/** The fleet in a browser: a read API, one live stream for each tab, and the web pages. */
@NullMarked
package dev.skep.supervisor;

import org.jspecify.annotations.NullMarked;
