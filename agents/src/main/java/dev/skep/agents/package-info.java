/** What an agent is and leaves behind: mail, sessions, log entries, costs. */
@NullMarked
package dev.skep.agents;

import org.jspecify.annotations.NullMarked;
