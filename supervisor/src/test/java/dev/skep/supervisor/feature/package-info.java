/** How a hub chooses and asks hosts for people. */
@NullMarked
package dev.skep.supervisor.feature;

import org.jspecify.annotations.NullMarked;
