/** Agents' files as they are read and changed. */
@NullMarked
package dev.skep.runner.agent;

import org.jspecify.annotations.NullMarked;
