/** The runner's HTTP routes, for the command line and the UI. */
@NullMarked
package dev.skep.runner.api;

import org.jspecify.annotations.NullMarked;
