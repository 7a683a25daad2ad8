package dev.skep.supervisor.view;

import dev.skep.agents.session.LogRow;
import dev.skep.kernel.id.Keyed;
import java.time.Instant;

/** One line of a log. */
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
                row.at());
    }
}
