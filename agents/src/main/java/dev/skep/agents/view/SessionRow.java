package dev.skep.agents.view;

import dev.skep.agents.session.RunSession;

/**
 * A run session in a list of all; lines and money are at most a minute old.
 *
 * @param host that writes it
 */
public record SessionRow(RunSession session, String host) {}
