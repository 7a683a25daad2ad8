package dev.skep.app.mcp;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.mcp.ToolArgument;
import dev.skep.transport.mcp.ToolResult;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Router;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Executes a tool by calling its route with the caller's identity. Thread-safe. */
final class McpToolCaller {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);
    private static final Set<String> UNDER_WAY = Set.of("pending", "running");

    private final Supplier<Router> routes;

    McpToolCaller(Supplier<Router> routes) {
        this.routes = routes;
    }

    boolean offers(McpTool tool) {
        return routes.get().route(tool.method(), orgPath("org", tool.path())).isPresent();
    }

    /** The result in MCP's form; a tool's failure is part of it, not thrown. */
    Map<String, Object> call(McpTool tool, JsonFields arguments, Request asked) {
        try {
            Map<String, String> given = withIds(tool, tool.described().checked(arguments), asked);
            String json = tool.waits() ? followed(tool, given, asked) : once(tool, given, asked);
            return ToolResult.json(json);
        } catch (SkepException refused) {
            return ToolResult.refused(refused);
        }
    }

    /** Routes know agents by ids; people, and models that act for them, by names. */
    private Map<String, String> withIds(McpTool tool, Map<String, String> given, Request asked) {
        Map<String, String> known = new LinkedHashMap<>(given);
        for (ToolArgument argument : tool.arguments()) {
            if (argument.type() instanceof ToolArgument.Type.Agent) {
                known.computeIfPresent(
                        argument.name(), (_, json) -> Json.text(agentId(plain(json), asked)));
            }
        }
        return known;
    }

    private String agentId(String said, Request asked) {
        String agents = orgPath(asked.org().value(), "/view/agents");
        List<JsonFields> meant =
                Json.fields(ask(asked, HttpMethod.GET, agents, Map.of(), "")).list("rows").stream()
                        .filter(agent -> isCalled(agent, said))
                        .toList();
        return switch (meant.size()) {
            case 1 -> meant.getFirst().shown("id");
            case 0 ->
                    throw new SkepException(
                            ErrorCode.NOT_FOUND,
                            "there is no agent %s; list_agents lists them".formatted(said));
            default ->
                    throw new SkepException(
                            ErrorCode.BAD_REQUEST,
                            "several hosts have an agent %s; say %s@HOST".formatted(said, said));
        };
    }

    private static boolean isCalled(JsonFields agent, String said) {
        String name = agent.shown("username");
        return said.equals(agent.shown("id"))
                || said.equals(name)
                || said.equals(name + "@" + agent.shown("hostName"));
    }

    private String once(McpTool tool, Map<String, String> given, Request asked) {
        Map<String, String> rest = new LinkedHashMap<>(given);
        String path = orgPath(asked.org().value(), tool.path());
        for (Map.Entry<String, String> each : given.entrySet()) {
            String place = "{" + each.getKey() + "}";
            if (path.contains(place)) {
                path = path.replace(place, encoded(plain(each.getValue())));
                rest.remove(each.getKey());
            }
        }
        return tool.method() == HttpMethod.GET
                ? ask(asked, HttpMethod.GET, path, query(rest), "")
                : ask(asked, tool.method(), path, Map.of(), object(rest));
    }

    /** Asks again until the job is over or the time is, then adds what it printed. */
    private String followed(McpTool tool, Map<String, String> given, Request asked) {
        Map<String, String> rest = new LinkedHashMap<>(given);
        String seconds = rest.remove(FleetTools.WAIT);
        long end =
                System.nanoTime()
                        + Duration.ofSeconds(seconds == null ? 0 : Long.parseLong(seconds))
                                .toNanos();
        String job = once(tool, rest, asked);
        while (UNDER_WAY.contains(Json.fields(job).shown("status")) && System.nanoTime() < end) {
            try {
                Thread.sleep(LOOK_AGAIN);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
            job = once(tool, rest, asked);
        }
        return object(Map.of("job", job, "output", Json.text(output(job, asked))));
    }

    private String output(String job, Request asked) {
        JsonFields shown = Json.fields(job);
        String run = shown.object("run").map(r -> r.shown("id")).orElse("");
        String path =
                orgPath(
                        asked.org().value(),
                        "/jobs/%s/runs/%s/output".formatted(shown.shown("id"), encoded(run)));
        return Json.fields(ask(asked, HttpMethod.GET, path, Map.of(), "")).list("chunks").stream()
                .map(chunk -> chunk.shown("text"))
                .collect(Collectors.joining());
    }

    private String ask(
            Request asked, HttpMethod method, String path, Map<String, String> query, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        Response response =
                routes.get()
                        .answer(
                                Request.of(
                                        method, path, query, asked.credentials(), new Sent(bytes)));
        try {
            var out = new ByteArrayOutputStream();
            response.body().writeTo(out);
            if (response.status() >= 400) {
                throw refused(out.toString(StandardCharsets.UTF_8));
            }
            return out.size() == 0 ? "{}" : out.toString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A refusal that says more than its words; the words are what a model needs. */
    private static SkepException refused(String problem) {
        JsonFields said = Json.fields(problem);
        return new SkepException(
                ErrorCode.named(said.shown("code")).orElse(ErrorCode.CONFLICT),
                said.shown("detail"));
    }

    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    private record Sent(byte[] bytes) implements Request.Body {
        @Override
        public InputStream stream() {
            return new ByteArrayInputStream(bytes);
        }
    }

    private static String orgPath(String org, String path) {
        return "/api/orgs/" + org + path;
    }

    private static Map<String, String> query(Map<String, String> json) {
        Map<String, String> query = new HashMap<>();
        json.forEach((name, value) -> query.put(name, plain(value)));
        return query;
    }

    /** A JSON value as a path or query has it. */
    private static String plain(String json) {
        return Json.fields("{\"value\":" + json + "}").shown("value");
    }

    private static String object(Map<String, String> json) {
        Map<String, Object> values = new LinkedHashMap<>();
        json.forEach((name, value) -> values.put(name, Json.raw(value)));
        return Json.text(values);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
