/**
 * Files of an agent that its runner reads and changes for it: with the agent's rights and behind
 * its wall, by a shell of its own beside the one that the agent's commands run in. The runner
 * itself opens none of them.
 */
@NullMarked
package dev.skep.runner.files;

import org.jspecify.annotations.NullMarked;
