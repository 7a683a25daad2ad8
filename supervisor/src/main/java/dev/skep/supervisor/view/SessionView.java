package dev.skep.supervisor.view;

import dev.skep.agents.session.RunSession;
import dev.skep.agents.session.SessionKey;
import dev.skep.agents.view.SessionRow;
import dev.skep.kernel.id.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run session in a list.
 *
 * @param state {@code running}, {@code ended}, or {@code unreachable} if its host is away
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
        if (row.session().endedReason() != null) {
            return "ended";
        }
        return names.isThere(row.host()) ? "running" : "unreachable";
    }

    static SessionView of(SessionRow row, DisplayNames names) {
        RunSession session = row.session();
        SessionKey key = session.key();
        String agent = key.agent().value();
        return new SessionView(
                agent + "." + key.run() + "." + key.session(),
                agent,
                names.agent(agent),
                key.run(),
                key.session(),
                row.host(),
                names.host(row.host()),
                state(row, names),
                session.model().isEmpty() ? null : session.model(),
                session.totalLines(),
                session.totalCost(),
                session.createdAt(),
                session.lastActive(),
                session.endedReason());
    }
}
