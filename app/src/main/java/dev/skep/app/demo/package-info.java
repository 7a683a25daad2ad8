/**
 * A small fleet on one machine to look at. Every part is the product, started as a person would
 * start it; only the agents' models are scripted.
 */
@NullMarked
package dev.skep.app.demo;

import org.jspecify.annotations.NullMarked;
