package dev.skep.supervisor.view;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentRuntime;
import dev.skep.agents.Notification;
import dev.skep.agents.session.SessionKey;
import dev.skep.agents.view.AgentRow;
import dev.skep.kernel.id.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An agent in a list.
 *
 * @param status what it does, or {@code unreachable} if its host is away
 * @param reason the reason for the status, from its host; null if it needs none
 * @param runtime what thinks for it; {@code skep} is our own loop
 * @param metered whether its calls are counted in dollars
 * @param spentToday micro-dollars since midnight UTC
 * @param version of its name, title and configuration
 * @param fileVersion the number of its file's newest version, 0 if its host has told none
 */
public record AgentView(
        String id,
        String username,
        @Nullable String title,
        String kind,
        String host,
        String hostName,
        String status,
        String lastStatus,
        @Nullable String reason,
        @Nullable Instant lastActive,
        @Nullable String model,
        String runtime,
        boolean metered,
        @Nullable String run,
        int session,
        long unread,
        long spentToday,
        @Nullable Long budgetLeft,
        boolean nameConflict,
        boolean removed,
        @Nullable String lead,
        long version,
        long fileVersion)
        implements Keyed {
    static AgentView of(AgentRow row, @Nullable HostView host) {
        Agent agent = row.agent();
        boolean reachable = host != null && host.isThere();
        AgentRuntime runtime = AgentRuntime.of(agent.config());
        boolean runs = !row.status().equals("stopped") && !row.status().equals("failed");
        return new AgentView(
                agent.id().value(),
                agent.username(),
                agent.title(),
                agent.kind().stored(),
                agent.host().value(),
                host == null ? agent.host().value() : host.name(),
                runs && !reachable ? FleetReader.UNREACHABLE : row.status(),
                row.status(),
                row.notification().map(Notification::reason).orElse(null),
                row.notification().map(Notification::lastActive).orElse(null),
                row.model(),
                runtime.name(),
                runtime.metered(),
                row.session().map(SessionKey::run).orElse(null),
                row.session().map(SessionKey::session).orElse(0),
                row.unread(),
                row.spent(),
                row.notification().map(Notification::budgetLeft).orElse(null),
                agent.nameConflict(),
                !agent.isLive(),
                agent.lead() == null ? null : agent.lead().value(),
                row.version(),
                agent.configVersion());
    }
}
