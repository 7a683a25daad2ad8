package dev.skep.dispatch.alert;

import dev.skep.kernel.id.OrgId;
import java.time.Instant;

/**
 * Something that an operator should know.
 *
 * @param subject kind and id of what it is about, for example {@code host:01J…}
 * @param message one line for people
 */
public record Alert(
        String id, OrgId org, AlertKind kind, String subject, String message, Instant at) {}
