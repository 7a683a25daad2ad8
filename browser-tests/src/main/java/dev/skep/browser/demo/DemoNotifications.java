package dev.skep.browser.demo;

import dev.skep.transport.route.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What tells one person of the made-up fleet. */
final class DemoNotifications {
    private DemoNotifications() {}

    static Object chosen() {
        return Map.of(
                "operator",
                "maria",
                "canMail",
                true,
                "kinds",
                List.of(
                        kind("approval", "An approval waits", true),
                        kind("agent_failed", "An agent failed", true),
                        kind("agent_repeats", "An agent repeats itself", true),
                        kind("over_budget", "An agent is over budget", true),
                        kind("mail", "Mail for me", true),
                        kind("host_offline", "A host is offline", false),
                        kind("job_failed", "A job failed", false)),
                "channels",
                List.of(
                        channel("c1", "email", "work", "maria@example.org", "", "approval", "mail"),
                        channel(
                                "c2",
                                "slack",
                                "team",
                                "https://hooks.slack.com/…",
                                "",
                                "agent_failed",
                                "host_offline",
                                "job_failed"),
                        channel(
                                "c3",
                                "discord",
                                "ops",
                                "https://discord.com/…",
                                "answered 404: Unknown Webhook",
                                "host_offline"),
                        channel("c4", "browser", "browser", "", "", "approval", "mail")));
    }

    private static Map<String, Object> kind(String kind, String title, boolean usual) {
        return Map.of("kind", kind, "title", title, "usual", usual);
    }

    private static Map<String, @Nullable Object> channel(
            String id, String kind, String name, String to, String stopped, String... kinds) {
        Map<String, @Nullable Object> channel =
                new HashMap<>(
                        Map.of(
                                "id",
                                id,
                                "kind",
                                kind,
                                "name",
                                name,
                                "to",
                                to,
                                "kinds",
                                List.of(kinds)));
        channel.put("disabledReason", stopped.isEmpty() ? null : stopped);
        return channel;
    }

    static Object messages(Instant now) {
        return Map.of(
                "deliveries",
                List.of(
                        message(5, now, "team", "slack", "agent_failed", "queued", null, null),
                        message(4, now, "work", "email", "approval,mail", "sent", 250, null),
                        message(
                                3,
                                now,
                                "team",
                                "slack",
                                "job_failed",
                                "refused, trying again",
                                503,
                                "answered 503"),
                        message(
                                2,
                                now,
                                "ops",
                                "discord",
                                "host_offline",
                                "refused",
                                404,
                                "answered 404: Unknown Webhook"),
                        message(
                                1,
                                now,
                                "browser",
                                "browser",
                                "approval",
                                "given up",
                                null,
                                "no page of yours was open to show it")));
    }

    private static Map<String, @Nullable Object> message(
            int number,
            Instant now,
            String channel,
            String kind,
            String topic,
            String outcome,
            @Nullable Integer status,
            @Nullable String error) {
        Map<String, @Nullable Object> message = new HashMap<>();
        message.put("id", "m" + number);
        message.put("operator", "maria");
        message.put("channel", channel);
        message.put("kind", kind);
        message.put("topic", topic);
        message.put("title", "ada2 on forge-01 asks: git push origin main");
        message.put("outcome", outcome);
        message.put("tries", outcome.equals("queued") ? 0 : 1);
        message.put("lastStatus", status);
        message.put("lastError", error);
        message.put("createdAt", now.minus(Duration.ofMinutes(60L - 10L * number)));
        return message;
    }

    static Object mailServer() {
        return Map.of(
                "server",
                Map.of(
                        "host",
                        "smtp.example.org",
                        "port",
                        587,
                        "security",
                        "starttls",
                        "user",
                        "skep",
                        "sender",
                        "skep@example.org"));
    }

    /** Slack takes it; the others do not. */
    static Object tried(Request request) {
        boolean takes = request.parameter("channel").equals("c2");
        Map<String, @Nullable Object> fared =
                new HashMap<>(Map.of("outcome", takes ? "sent" : "refused"));
        fared.put("kind", takes ? "slack" : "discord");
        fared.put("lastStatus", takes ? 200 : 404);
        fared.put("lastError", takes ? null : "answered 404: Unknown Webhook");
        return fared;
    }
}
