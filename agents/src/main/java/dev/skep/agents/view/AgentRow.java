package dev.skep.agents.view;

import dev.skep.agents.Agent;
import dev.skep.agents.Notification;
import dev.skep.agents.session.SessionKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An agent in a list of all.
 *
 * @param agent without its configuration, which would fill memory
 * @param notification the last notification of its host
 * @param status the same as the host wrote it; current only while that host is connected
 * @param unread mail in its box
 * @param spent micro-dollars since the time asked for
 * @param session its newest, empty before the first
 * @param model of that session
 * @param version of its name, title and configuration
 */
public record AgentRow(
        Agent agent,
        Optional<Notification> notification,
        String status,
        long unread,
        long spent,
        Optional<SessionKey> session,
        @Nullable String model,
        long version) {}
