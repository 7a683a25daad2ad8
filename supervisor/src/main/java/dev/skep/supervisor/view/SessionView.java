package dev.skep.supervisor.view;

import dev.skep.agents.view.SessionRow;
import dev.skep.kernel.id.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run session in a list.
 *
 * @param state {@code running}, {@code ended}, or {@code unreachable} where its host is not there
 *     to say
 */
public record SessionView(
        String id,
        String agent,
        String agentName,
        String run,
        int session,
        String host,
        String hostName,
        String state,
        @Nullable String model,
        long lines,
        long cost,
        Instant startedAt,
        Instant lastActive,
        @Nullable String endedReason)
        implements Keyed {

    private static String state(SessionRow row, DisplayNames names) {
        if (row.endedReason() != null) {
            return "ended";
        }
        return names.isThere(row.host()) ? "running" : "unreachable";
    }

    static SessionView of(SessionRow row, DisplayNames names) {
        return new SessionView(
                row.agent() + "." + row.run() + "." + row.session(),
                row.agent(),
                names.agent(row.agent()),
                row.run(),
                row.session(),
                row.host(),
                names.host(row.host()),
                state(row, names),
                row.model(),
                row.lines(),
                row.cost(),
                row.startedAt(),
                row.lastActive(),
                row.endedReason());
    }
}
