package dev.skep.dispatch.hold;

import java.time.Instant;

/**
 * All agents of an org are to stand still.
 *
 * @param by who asked for it, for people
 * @param reason may be empty
 */
public record OrgHold(String id, String by, String reason, Instant since) {}
