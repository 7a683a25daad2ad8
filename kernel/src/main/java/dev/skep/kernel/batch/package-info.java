/**
 * Work in batches: what waits while one batch is under way is the next, so that all in it share
 * what a batch costs once.
 */
@NullMarked
package dev.skep.kernel.batch;

import org.jspecify.annotations.NullMarked;
