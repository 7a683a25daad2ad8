/** The runner over HTTP: what the command line and the UI see of agents and ask of them. */
@NullMarked
package dev.skep.runner.api;

import org.jspecify.annotations.NullMarked;
