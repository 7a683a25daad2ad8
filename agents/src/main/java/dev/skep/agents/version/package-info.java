/** The versions of agents' files: who changed what, when and why. */
@NullMarked
package dev.skep.agents.version;

import org.jspecify.annotations.NullMarked;
