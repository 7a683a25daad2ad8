/** Agents, sessions, logs, mail and costs as whole-fleet lists, in pages; changes nothing. */
@NullMarked
package dev.skep.agents.view;

import org.jspecify.annotations.NullMarked;
