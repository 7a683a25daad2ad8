package dev.skep.dispatch.routes;

import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the table itself does not have about a route: its purpose and its parameters. */
final class RouteDescriptions {
    private static final String ORG = "/api/orgs/{org}/";
    private static final List<String> NONE = List.of();

    private static final Map<String, Note> NOTES =
            Map.ofEntries(
                    note(
                            "GET",
                            ORG + "hosts",
                            "Hosts, by id.",
                            query("status", "label", "q", "after", "limit"),
                            NONE),
                    note(
                            "GET",
                            ORG + "hosts/{host}",
                            "One host with its servers and latest runs.",
                            NONE,
                            NONE),
                    note(
                            "PATCH",
                            ORG + "hosts/{host}",
                            "Name, labels, limits, degraded by hand.",
                            NONE,
                            List.of(
                                    "name",
                                    "labels",
                                    "maxConcurrent",
                                    "jobsPerMinute",
                                    "degraded",
                                    "reason")),
                    note(
                            "GET",
                            ORG + "servers",
                            "Server instances, by id.",
                            query("host", "after", "limit"),
                            NONE),
                    note(
                            "POST",
                            ORG + "servers",
                            "Adds a server instance to a host.",
                            NONE,
                            List.of("hostId", "name", "spec")),
                    note("GET", ORG + "servers/{server}", "One server instance.", NONE, NONE),
                    note(
                            "PATCH",
                            ORG + "servers/{server}",
                            "Changes name or spec.",
                            NONE,
                            List.of("name", "spec")),
                    note(
                            "DELETE",
                            ORG + "servers/{server}",
                            "Removes a stopped server instance.",
                            NONE,
                            NONE),
                    note(
                            "GET",
                            ORG + "jobs",
                            "Jobs, newest first.",
                            query("status", "host", "server", "type", "before", "limit"),
                            NONE),
                    note(
                            "POST",
                            ORG + "jobs",
                            "Creates a job; the same idempotency key returns the same job.",
                            NONE,
                            List.of(
                                    "serverInstanceId",
                                    "hostId",
                                    "type",
                                    "payload",
                                    "priority",
                                    "idempotencyKey",
                                    "timeoutSeconds",
                                    "maxAttempts",
                                    "runAt")),
                    note("GET", ORG + "jobs/{job}", "One job with its newest run.", NONE, NONE),
                    note("GET", ORG + "jobs/{job}/runs", "All attempts at a job.", NONE, NONE),
                    note(
                            "GET",
                            ORG + "jobs/{job}/runs/{run}/output",
                            "What a run printed after a piece.",
                            query("after"),
                            NONE),
                    note(
                            "POST",
                            ORG + "jobs/{job}/cancel",
                            "Cancels a job; a running one ends with the next heartbeat.",
                            NONE,
                            NONE),
                    note(
                            "POST",
                            ORG + "jobs/{job}/retry",
                            "Runs a finished job once more.",
                            NONE,
                            NONE),
                    note(
                            "GET",
                            ORG + "alerts",
                            "Alerts, newest first.",
                            query("before", "limit"),
                            NONE),
                    note("GET", ORG + "webhooks", "Webhooks.", NONE, NONE),
                    note(
                            "POST",
                            ORG + "webhooks",
                            "Adds a webhook; its secret is shown once.",
                            NONE,
                            List.of("kind", "name", "url", "topics")),
                    note("DELETE", ORG + "webhooks/{webhook}", "Removes a webhook.", NONE, NONE),
                    note(
                            "POST",
                            ORG + "webhooks/{webhook}/test",
                            "Sends a test message and answers with its outcome.",
                            NONE,
                            NONE),
                    note(
                            "GET",
                            ORG + "webhooks/{webhook}/deliveries",
                            "Its latest messages.",
                            query("limit"),
                            NONE),
                    note(
                            "GET",
                            ORG + "notifications",
                            "What tells the caller: kinds of notifications, and their channels.",
                            query("operator"),
                            NONE),
                    note(
                            "POST",
                            ORG + "notifications/channels",
                            "Adds a channel; the secret of a signed webhook is shown once.",
                            query("operator"),
                            List.of("kind", "name", "to", "kinds")),
                    note(
                            "PATCH",
                            ORG + "notifications/channels/{channel}",
                            "Chooses the kinds that it tells; one that was stopped goes on.",
                            query("operator"),
                            List.of("kinds")),
                    note(
                            "DELETE",
                            ORG + "notifications/channels/{channel}",
                            "Removes a channel with its messages.",
                            query("operator"),
                            NONE),
                    note(
                            "POST",
                            ORG + "notifications/channels/{channel}/test",
                            "Sends a test and answers with what the other side said.",
                            query("operator"),
                            NONE),
                    note(
                            "GET",
                            ORG + "notifications/deliveries",
                            "The latest messages to the caller; of=everybody is for admins.",
                            query("operator", "of", "limit"),
                            NONE),
                    note(
                            "GET",
                            ORG + "notifications/new",
                            "What the caller's open pages should show, once there is more than the last one.",
                            query("operator", "last", "wait"),
                            NONE),
                    note(
                            "POST",
                            ORG + "notifications/shown",
                            "Says that a page showed a message.",
                            query("operator"),
                            List.of("id")),
                    note(
                            "GET",
                            ORG + "mail-server",
                            "The mail server of the org, without its password.",
                            NONE,
                            NONE),
                    note(
                            "PUT",
                            ORG + "mail-server",
                            "Sets it; without a password the stored one stays if host and user do.",
                            NONE,
                            List.of("host", "port", "security", "user", "password", "sender")),
                    note("DELETE", ORG + "mail-server", "Removes it.", NONE, NONE),
                    note(
                            "GET",
                            ORG + "events",
                            "Events as they happen (server-sent events).",
                            query("after"),
                            NONE),
                    note(
                            "POST",
                            "/api/agent/heartbeat",
                            "A host's heartbeat; the answer says what to do about its runs.",
                            NONE,
                            List.of(
                                    "version",
                                    "keyVersion",
                                    "metrics",
                                    "running",
                                    "servers",
                                    "serverSeconds",
                                    "allows")),
                    note(
                            "POST",
                            "/api/agent/jobs/next",
                            "The host's next run, or 204 when there is none in time.",
                            query("wait", "worker", "only"),
                            NONE),
                    note(
                            "POST",
                            "/api/agent/runs/{run}/output",
                            "Pieces of what a run printed.",
                            NONE,
                            List.of("attempt", "chunks")),
                    note(
                            "POST",
                            "/api/agent/runs/{run}/result",
                            "How a run ended; with next=true the answer contains the next run.",
                            query("next"),
                            List.of("attempt", "status", "result")),
                    note(
                            "GET",
                            "/api/orgs/{org}/job-policy",
                            "The org's policy for jobs.",
                            NONE,
                            NONE),
                    note(
                            "PATCH",
                            "/api/orgs/{org}/job-policy",
                            "Changes that: whether jobs over a host's limits get 429, and what keys of agents may ask for.",
                            NONE,
                            List.of("refuseExcess", "agentJobTypes")),
                    note("GET", "/api/openapi.json", "This document.", NONE, NONE));

    private RouteDescriptions() {}

    record Note(String summary, List<String> query, List<String> body) {}

    static Optional<Note> of(Route route) {
        return Optional.ofNullable(NOTES.get(route.method().name() + " " + route.path()));
    }

    /** What a field of that name is, in JSON schema's words; the same wherever it is used. */
    static String type(String field) {
        return switch (field) {
            case "priority",
                    "timeoutSeconds",
                    "maxAttempts",
                    "maxConcurrent",
                    "jobsPerMinute",
                    "attempt",
                    "keyVersion",
                    "port" ->
                    "integer";
            case "degraded", "refuseExcess" -> "boolean";
            case "labels", "metrics", "payload", "result", "servers", "spec" -> "object";
            case "chunks", "kinds", "running", "topics" -> "array";
            default -> "string";
        };
    }

    private static List<String> query(String... names) {
        return List.of(names);
    }

    private static Map.Entry<String, Note> note(
            String method, String path, String summary, List<String> query, List<String> body) {
        return Map.entry(method + " " + path, new Note(summary, query, body));
    }
}
