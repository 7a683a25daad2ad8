/**
 * Checks everything that a process of this data dir depends on and says how to fix what is wrong.
 * It changes nothing, and works with or without a running process.
 */
@NullMarked
package dev.skep.app.doctor;

import org.jspecify.annotations.NullMarked;
