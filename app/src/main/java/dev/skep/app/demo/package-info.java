/**
 * A small fleet on one machine, to be looked at: every part of it is the product, started as a
 * person would start it, and only the agents' models are pretended.
 */
@NullMarked
package dev.skep.app.demo;

import org.jspecify.annotations.NullMarked;
