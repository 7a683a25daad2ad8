/**
 * {@code ./skep bench sync}: hub, runners and other hosts' links as processes of their own,
 * commanded over standard input.
 */
@NullMarked
package dev.skep.benchmark.sync;

import org.jspecify.annotations.NullMarked;
