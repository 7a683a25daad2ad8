package dev.skep.models.money;

import dev.skep.agents.session.SessionKey;
import java.time.Instant;

/** A paid model call under way; after a crash its dearest price counts as spent. */
public record OpenCall(
        String id, SessionKey session, String model, String source, long atMost, Instant begunAt) {}
