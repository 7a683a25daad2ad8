package dev.skep.supervisor.view;

import dev.skep.supervisor.live.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something a person should look at now.
 *
 * @param kind {@code alert}, {@code host}, {@code run}, {@code budget}, {@code approval}, {@code
 *     agent} or {@code conflict}
 * @param subject the id of what it is about
 * @param severity {@code bad} or {@code warn}
 */
public record AttentionView(
        String id,
        String kind,
        String severity,
        String subject,
        String title,
        String detail,
        @Nullable Instant since)
        implements Keyed {}
