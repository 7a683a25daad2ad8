/** The registry as a module of a process: one registry for each org, and the ways in. */
@NullMarked
package dev.skep.registry.module;

import org.jspecify.annotations.NullMarked;
