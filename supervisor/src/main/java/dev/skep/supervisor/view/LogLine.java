package dev.skep.supervisor.view;

import dev.skep.agents.session.LogRow;
import dev.skep.kernel.id.Keyed;
import dev.skep.transport.route.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of a log.
 *
 * @param detail what a program on its host wrote for programs; null if that is no JSON object
 */
public record LogLine(
        String id,
        String agent,
        String agentName,
        String hostName,
        String run,
        int session,
        String source,
        String type,
        String message,
        @Nullable Object detail,
        Instant at)
        implements Keyed {

    static LogLine of(LogRow row, DisplayNames names) {
        return new LogLine(
                row.id(),
                row.agent(),
                names.agent(row.agent()),
                names.host(row.host()),
                row.run(),
                row.session(),
                row.source(),
                row.type(),
                row.message(),
                Json.objectOrNull(row.detail()),
                row.at());
    }
}
