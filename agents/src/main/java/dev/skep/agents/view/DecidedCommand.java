package dev.skep.agents.view;

import dev.skep.agents.session.DecisionLine;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A command that waited for a person, and what became of it.
 *
 * @param id the command's line in the log, which is the approval's id
 * @param detail what else that line has for programs, as a JSON object
 */
public record DecidedCommand(
        String id,
        String agent,
        String command,
        @Nullable String detail,
        Instant requestedAt,
        DecisionLine decision,
        Instant decidedAt) {}
