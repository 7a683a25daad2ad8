package dev.skep.supervisor.view;

import dev.skep.kernel.id.Keyed;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that needs a person's attention now.
 *
 * @param kind {@code alert}, {@code host}, {@code run}, {@code budget}, {@code approval}, {@code
 *     agent} or {@code conflict}
 * @param subject the id of what it is about
 * @param severity {@code bad} or {@code warn}
 * @param among where it is about many jobs, the filter that shows them
 */
public record AttentionView(
        String id,
        String kind,
        String severity,
        String subject,
        String title,
        String detail,
        @Nullable Instant since,
        Map<String, String> among)
        implements Keyed {

    /** About one thing. */
    AttentionView(
            String id,
            String kind,
            String severity,
            String subject,
            String title,
            String detail,
            @Nullable Instant since) {
        this(id, kind, severity, subject, title, detail, since, Map.of());
    }
}
