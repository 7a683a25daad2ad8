/** The agents of a host as a module of a process. */
@NullMarked
package dev.skep.runner.module;

import org.jspecify.annotations.NullMarked;
