/** The real PostgreSQL and Redis that tests and benchmarks start. */
@NullMarked
package dev.skep.testkit.server;

import org.jspecify.annotations.NullMarked;
