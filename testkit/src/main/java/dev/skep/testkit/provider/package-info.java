/**
 * A provider of models on loopback that speaks the four wires, follows a script and charges what a
 * test wants; for tests that run whole agents against it as well as for those of single calls.
 */
@NullMarked
package dev.skep.testkit.provider;

import org.jspecify.annotations.NullMarked;
