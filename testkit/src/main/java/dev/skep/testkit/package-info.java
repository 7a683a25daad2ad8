/**
 * What tests and benchmarks of every module share, made of nothing but the JDK: a clock they set, a
 * wait for what other threads bring about, processes to kill, and lines that fail.
 */
@NullMarked
package dev.skep.testkit;

import org.jspecify.annotations.NullMarked;
