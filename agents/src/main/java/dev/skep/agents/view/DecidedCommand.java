package dev.skep.agents.view;

import dev.skep.agents.session.DecisionLine;
import java.time.Instant;

/**
 * A command that waited for a person, and what became of it.
 *
 * @param id the command's line in the log, which is the approval's id
 */
public record DecidedCommand(
        String id,
        String agent,
        String command,
        Instant requestedAt,
        DecisionLine decision,
        Instant decidedAt) {}
