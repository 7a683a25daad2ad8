package dev.skep.cli.profile;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.QueryString;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What a runner answers about its own agents, made of what a hub knows about all of them. */
final class FleetAsRunner {
    private static final String RUNNER = "/api/runner/";
    private static final int MOST = 1_000;

    private final ApiClient hub;
    private final String org;
    private final HubJobs jobs;

    FleetAsRunner(ApiClient hub, String org) {
        this.hub = hub;
        this.org = "/api/orgs/" + encoded(org);
        this.jobs = new HubJobs(hub, this.org);
    }

    Answer call(HttpMethod method, String path, Map<String, ?> body) {
        String[] parts = path.substring(RUNNER.length()).split("\\?", 2);
        Map<String, String> query = parts.length > 1 ? QueryString.ofForm(parts[1]) : Map.of();
        String[] words = parts[0].split("/", -1);
        if (method == HttpMethod.GET && words.length == 1) {
            return switch (words[0]) {
                case "agents" -> list("agents", agents().stream().map(this::agent).toList());
                case "logs" -> logs(query);
                case "sessions" -> sessions(query);
                case "costs" -> costs(query);
                case "mail" -> mail(query);
                case "approvals" -> approvals(query);
                default -> throw RemoteApi.onlyThere();
            };
        }
        if (method == HttpMethod.POST && words.length == 1 && words[0].equals("mail")) {
            var _ = hub.post(org + "/mail", body);
            return said("sent");
        }
        if (method == HttpMethod.POST && words.length == 3) {
            return switch (words[0]) {
                case "agents" -> steer(decoded(words[1]), words[2], body);
                case "approvals" -> decide(decoded(words[1]), words[2], body);
                default -> throw RemoteApi.onlyThere();
            };
        }
        throw RemoteApi.onlyThere();
    }

    private List<JsonFields> agents() {
        return get("/view/agents").list("rows");
    }

    private Map<String, Object> agent(JsonFields row) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("username", row.shown("username"));
        shown.put("title", row.optionalText("title").orElse(null));
        shown.put("kind", row.shown("kind"));
        shown.put("status", row.flag("removed") ? "removed" : row.shown("status"));
        shown.put("host", row.shown("hostName"));
        shown.put("lead", row.optionalText("lead").map(this::nameOf).orElse(null));
        shown.put("budgetLeft", row.optionalNumber("budgetLeft").orElse(null));
        shown.put("lastActive", row.optionalText("lastActive").orElse(null));
        shown.put("note", row.flag("removed") ? null : row.optionalText("reason").orElse(null));
        shown.put("runtime", row.shown("runtime"));
        shown.put("metered", row.flag("metered"));
        return shown;
    }

    private String nameOf(String id) {
        return agents().stream()
                .filter(each -> each.text("id").equals(id))
                .map(each -> each.shown("username"))
                .findFirst()
                .orElse(id);
    }

    /** By name, by name and host, or by id; live ones before those that were removed. */
    private String idOf(String said) {
        List<JsonFields> meant = agents().stream().filter(each -> isMeant(each, said)).toList();
        List<JsonFields> live = meant.stream().filter(each -> !each.flag("removed")).toList();
        List<JsonFields> chosen = live.isEmpty() ? meant : live;
        if (chosen.isEmpty()) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "there is no agent '%s'; 'skep agents' lists them".formatted(said));
        }
        if (chosen.size() > 1) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "several hosts have an agent '%s'; say %s@HOST".formatted(said, said));
        }
        return chosen.getFirst().text("id");
    }

    private static boolean isMeant(JsonFields agent, String said) {
        String name = agent.shown("username");
        return said.equals(agent.shown("id"))
                || said.equals(name)
                || said.equals(name + "@" + agent.shown("hostName"));
    }

    private Answer logs(Map<String, String> query) {
        Map<String, String> asked = new HashMap<>(about(query));
        asked.put("limit", query.getOrDefault("limit", "50"));
        Optional.ofNullable(query.get("after"))
                .filter(text -> !text.isEmpty())
                .ifPresent(after -> asked.put("after", after));
        List<Map<String, Object>> lines = new ArrayList<>();
        for (JsonFields each : get("/view/history/log", asked).list("lines")) {
            Map<String, Object> line =
                    copy(each, "id", "run", "source", "type", "message", "detail", "at");
            line.put("agent", each.shown("agentName"));
            line.put("session", each.number("session"));
            lines.add(line);
        }
        return list("lines", lines);
    }

    private Answer sessions(Map<String, String> query) {
        Map<String, String> asked = new HashMap<>(about(query));
        asked.put("limit", query.getOrDefault("limit", "50"));
        List<Map<String, Object>> sessions = new ArrayList<>();
        for (JsonFields each : get("/view/history/sessions", asked).list("rows")) {
            Map<String, Object> session =
                    copy(each, "run", "model", "startedAt", "lastActive", "endedReason");
            session.put("agent", each.shown("agentName"));
            for (String number : List.of("session", "lines", "cost")) {
                session.put(number, each.number(number));
            }
            sessions.add(session);
        }
        return list("sessions", sessions);
    }

    private Answer costs(Map<String, String> query) {
        Map<String, String> asked = new HashMap<>(about(query));
        asked.put("by", query.getOrDefault("by", "agent"));
        Optional.ofNullable(query.get("since")).ifPresent(since -> asked.put("since", since));
        return hub.get(withQuery(org + "/view/history/cost-totals", asked));
    }

    private Answer mail(Map<String, String> query) {
        int limit = Integer.parseInt(query.getOrDefault("limit", "50"));
        Map<String, String> about = about(query);
        String box = query.getOrDefault("box", "");
        if (about.isEmpty() && !box.isEmpty()) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "a mailbox belongs to an agent; name the agent too");
        }
        Map<String, String> asked = new HashMap<>(about);
        asked.put("limit", Integer.toString(about.isEmpty() ? limit : MOST));
        if (box.equals("search")) {
            asked.put("q", query.getOrDefault("text", ""));
        }
        Predicate<JsonFields> inBox =
                about.isEmpty() ? each -> true : inBox(box, about.getOrDefault("agent", ""));
        return list(
                "mail",
                get("/view/history/mail", asked).list("rows").stream()
                        .filter(inBox)
                        .limit(limit)
                        .map(FleetAsRunner::message)
                        .toList());
    }

    private static Predicate<JsonFields> inBox(String box, String agent) {
        return switch (box) {
            case "", "inbox" ->
                    each -> received(each, agent, to -> to.shown("archivedAt").isEmpty());
            case "unread" -> each -> received(each, agent, to -> to.shown("readAt").isEmpty());
            case "outbox" ->
                    each ->
                            each.object("from")
                                    .filter(from -> from.shown("id").equals(agent))
                                    .isPresent();
            case "search" -> each -> true;
            default ->
                    throw new SkepException(
                            ErrorCode.BAD_REQUEST,
                            "there is no box '%s'; inbox, outbox, unread or search".formatted(box));
        };
    }

    private static boolean received(
            JsonFields mail, String agent, Predicate<JsonFields> condition) {
        return mail.list("recipients").stream()
                .anyMatch(to -> to.shown("id").equals(agent) && condition.test(to));
    }

    private static Map<String, Object> message(JsonFields mail) {
        Map<String, Object> message = copy(mail, "id", "subject", "body", "replyTo", "sentAt");
        message.put("from", mail.object("from").map(from -> from.shown("name")).orElse(""));
        for (String type : List.of("to", "cc")) {
            message.put(
                    type,
                    mail.list("recipients").stream()
                            .filter(each -> each.shown("type").equals(type))
                            .map(each -> each.shown("name"))
                            .toList());
        }
        return message;
    }

    private Answer approvals(Map<String, String> query) {
        boolean all = !query.getOrDefault("all", "").isEmpty();
        List<Map<String, Object>> approvals = new ArrayList<>();
        for (JsonFields each : get("/view/approvals").list("rows")) {
            if (all || each.shown("decision").equals("pending")) {
                approvals.add(approval(each));
            }
        }
        return list("approvals", approvals);
    }

    private static Map<String, Object> approval(JsonFields row) {
        Map<String, Object> shown =
                copy(
                        row,
                        "id",
                        "command",
                        "decision",
                        "requestedAt",
                        "expiresAt",
                        "decidedBy",
                        "decidedThrough",
                        "decidedAt",
                        "reason");
        shown.put("agent", row.shown("agentName"));
        shown.put("always", row.flag("always"));
        Map<String, Object> detail = copy(row, "title", "kind", "path");
        row.json("diff").ifPresent(diff -> detail.put("diff", Json.raw(diff)));
        shown.put("detail", detail);
        return shown;
    }

    private Answer steer(String said, String verb, Map<String, ?> body) {
        if (!List.of("start", "stop", "pause", "resume", "cancel", "talk").contains(verb)) {
            throw RemoteApi.onlyThere();
        }
        Object text = body.containsKey("task") ? body.get("task") : body.get("text");
        JsonFields asked =
                hub.post(
                                org + "/agents/" + encoded(idOf(said)) + "/" + verb,
                                text == null ? Map.of() : Map.of("text", text))
                        .fields();
        return said(jobs.outcome(asked, said + ": " + verb));
    }

    private Answer decide(String approval, String verb, Map<String, ?> body) {
        String decision = Boolean.TRUE.equals(body.get("always")) ? "always" : verb;
        Map<String, Object> sent = new HashMap<>(Map.of("decision", decision));
        if (body.get("reason") != null) {
            sent.put("reason", body.get("reason"));
        }
        JsonFields asked = hub.post(org + "/approvals/" + encoded(approval), sent).fields();
        return said(jobs.outcome(asked, approval + ": " + decision));
    }

    /** The agent that a query names, by its id; nothing if it names none. */
    private Map<String, String> about(Map<String, String> query) {
        String agent = query.getOrDefault("agent", "");
        return agent.isEmpty() ? Map.of() : Map.of("agent", idOf(agent));
    }

    private JsonFields get(String path) {
        return hub.get(org + path).fields();
    }

    private JsonFields get(String path, Map<String, String> query) {
        return hub.get(withQuery(org + path, query)).fields();
    }

    private static String withQuery(String path, Map<String, String> query) {
        StringBuilder text = new StringBuilder(path);
        String separator = "?";
        for (var each : query.entrySet()) {
            text.append(separator)
                    .append(each.getKey())
                    .append('=')
                    .append(encoded(each.getValue()));
            separator = "&";
        }
        return text.toString();
    }

    /** Fields as they came. */
    private static Map<String, Object> copy(JsonFields from, String... names) {
        Map<String, Object> copy = new LinkedHashMap<>();
        for (String name : names) {
            from.json(name).ifPresent(json -> copy.put(name, Json.values(json)));
        }
        return copy;
    }

    private static Answer list(String name, List<?> rows) {
        return new Answer(200, Json.bytes(Map.of(name, rows)));
    }

    private static Answer said(String message) {
        return new Answer(200, Json.bytes(Map.of("message", message)));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String decoded(String text) {
        return java.net.URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
