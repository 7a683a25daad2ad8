/** What follows from what happens, decided without a database. */
@NullMarked
package dev.skep.dispatch.job;

import org.jspecify.annotations.NullMarked;
