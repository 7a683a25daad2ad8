/** Agents, sessions, logs, mail and costs as lists of the whole fleet, in pages; read-only. */
@NullMarked
package dev.skep.agents.view;

import org.jspecify.annotations.NullMarked;
