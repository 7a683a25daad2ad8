/**
 * The user's settings and where each came from: flags, environment, .env and defaults become one
 * validated record per component.
 */
@NullMarked
package dev.skep.cli.config;

import org.jspecify.annotations.NullMarked;
