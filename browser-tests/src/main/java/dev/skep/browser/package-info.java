/** What stands between tests and a browser: the browser itself, and a fleet to look at. */
@NullMarked
package dev.skep.browser;

import org.jspecify.annotations.NullMarked;
