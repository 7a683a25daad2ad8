package dev.skep.app.mcp;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.mcp.CallInput;
import dev.skep.transport.mcp.ToolArgument;
import dev.skep.transport.mcp.ToolDescription;
import dev.skep.transport.mcp.ToolOutcome;
import dev.skep.transport.mcp.ToolResult;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.Request;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Executes a tool by calling its route with the caller's identity. Thread-safe. */
final class McpToolCaller {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);
    private static final Set<String> UNDER_WAY = Set.of("pending", "running");

    private final RouteCaller routes;
    private final NameResolver names;
    private final PersonsYes yes;
    private final Map<String, ToolDescription> described = new ConcurrentHashMap<>();

    McpToolCaller(RouteCaller routes, PersonsYes yes) {
        this.routes = routes;
        this.names = new NameResolver(routes);
        this.yes = yes;
    }

    boolean offers(McpTool tool) {
        return routes.has(tool.method(), tool.path());
    }

    /** The tool as clients are told of it, with what its route answers. */
    ToolDescription described(McpTool tool) {
        return described.computeIfAbsent(
                tool.described().name(),
                _ ->
                        tool.described()
                                .answering(
                                        routes.route(tool.method(), tool.path())
                                                .map(route -> OutputSchemas.of(tool, route))
                                                .orElse(Map.of())));
    }

    /** What became of a call; a tool's failure is a result in MCP's form, not thrown. */
    ToolOutcome call(McpTool tool, JsonFields arguments, CallInput input, Request asked) {
        try {
            Map<String, String> given = withIds(tool, tool.described().checked(arguments), asked);
            Optional<String> question = question(tool, given, asked);
            if (question.isPresent()) {
                String call = tool.described().name() + new TreeMap<>(given);
                switch (yes.answer(asked, call, question.get(), input)) {
                    case YES -> {}
                    case NO ->
                            throw new SkepException(
                                    ErrorCode.FORBIDDEN, "a person said no; nothing was done");
                    case MISSING -> {
                        return yes.question(asked, call, question.get());
                    }
                }
            }
            String json = tool.waits() ? followed(tool, given, asked) : once(tool, given, asked);
            return new ToolOutcome.Complete(ToolResult.json(json));
        } catch (SkepException refused) {
            return new ToolOutcome.Complete(ToolResult.refused(refused));
        }
    }

    /** Who may not do it anyway is told so by the route, and nobody is asked. */
    private Optional<String> question(McpTool tool, Map<String, String> given, Request asked) {
        if (!routes.admits(tool.method(), tool.path(), asked)) {
            return Optional.empty();
        }
        Map<String, String> texts = new LinkedHashMap<>();
        given.forEach((name, json) -> texts.put(name, plain(json)));
        return tool.yes().question(texts, path -> Json.fields(routes.get(asked, path, Map.of())));
    }

    /** Routes know agents and hosts by ids; people, and models that act for them, by names. */
    private Map<String, String> withIds(McpTool tool, Map<String, String> given, Request asked) {
        Map<String, String> known = new LinkedHashMap<>(given);
        for (ToolArgument argument : tool.arguments()) {
            if (argument.type() instanceof ToolArgument.Type.Agent) {
                known.computeIfPresent(
                        argument.name(), (_, json) -> Json.text(names.agent(plain(json), asked)));
            } else if (argument.type() instanceof ToolArgument.Type.Host) {
                known.computeIfPresent(
                        argument.name(), (_, json) -> Json.text(names.host(plain(json), asked)));
            }
        }
        return known;
    }

    private String once(McpTool tool, Map<String, String> given, Request asked) {
        Map<String, String> rest = new LinkedHashMap<>();
        String path = tool.path();
        for (Map.Entry<String, String> each : given.entrySet()) {
            String place = "{" + each.getKey() + "}";
            if (path.contains(place)) {
                path = path.replace(place, RouteCaller.segment(plain(each.getValue())));
            } else {
                rest.put(
                        tool.renamed().getOrDefault(each.getKey(), each.getKey()), each.getValue());
            }
        }
        return tool.method() == HttpMethod.GET
                ? routes.get(asked, path, query(rest))
                : routes.call(asked, tool.method(), path, Map.of(), object(rest));
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
                "/jobs/%s/runs/%s/output".formatted(shown.shown("id"), RouteCaller.segment(run));
        return Json.fields(routes.get(asked, path, Map.of())).list("chunks").stream()
                .map(chunk -> chunk.shown("text"))
                .collect(Collectors.joining());
    }

    private static Map<String, String> query(Map<String, String> json) {
        Map<String, String> query = new LinkedHashMap<>();
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
}
