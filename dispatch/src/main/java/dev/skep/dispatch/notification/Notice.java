package dev.skep.dispatch.notification;

import dev.skep.kernel.id.OrgId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A reason to tell somebody, before it is in a message.
 *
 * @param channel whose message it will be in
 * @param alert the alert that it stands for while that is open, or null
 * @param more how many further reasons stand behind it
 * @param at for people
 */
record Notice(
        String id,
        OrgId org,
        String channel,
        NotificationKind kind,
        String subject,
        String text,
        @Nullable String alert,
        long more,
        Instant at) {}
