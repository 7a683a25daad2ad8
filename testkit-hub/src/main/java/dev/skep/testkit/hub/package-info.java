/** Listeners, routes and links of tests whose callers say who they are in plain words. */
@NullMarked
package dev.skep.testkit.hub;

import org.jspecify.annotations.NullMarked;
