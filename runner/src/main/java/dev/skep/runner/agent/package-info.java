/** Agents as people write them: YAML files in a folder, subordinates in a folder of their own. */
@NullMarked
package dev.skep.runner.agent;

import org.jspecify.annotations.NullMarked;
