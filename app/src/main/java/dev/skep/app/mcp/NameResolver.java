package dev.skep.app.mcp;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.Ids;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the id of what people, and models that act for them, call by its name. Thread-safe. */
final class NameResolver {
    private static final String HOSTS = "/hosts";
    private static final int PAGE = 200;

    private final RouteCaller routes;

    NameResolver(RouteCaller routes) {
        this.routes = routes;
    }

    /** An agent by its id, its name, or its name and host. */
    String agent(String said, Request asked) {
        List<JsonFields> meant =
                Json.fields(routes.get(asked, "/view/agents", Map.of())).list("rows").stream()
                        .filter(agent -> isAgent(agent, said))
                        .toList();
        return one(meant, "agent", said, "list_agents", "say NAME@HOST");
    }

    private static boolean isAgent(JsonFields agent, String said) {
        String name = agent.shown("username");
        return said.equals(agent.shown("id"))
                || said.equals(name)
                || said.equals(name + "@" + agent.shown("hostName"));
    }

    /**
     * A host by its id, which its route checks, or its name; by its id only for callers that may
     * not see hosts.
     */
    String host(String said, Request asked) {
        if (Ids.isUlid(said)) {
            return said;
        }
        if (!routes.admits(HttpMethod.GET, HOSTS, asked)
                && !routes.admits(HttpMethod.GET, "/view/hosts", asked)) {
            return said;
        }
        List<JsonFields> meant =
                hosts(said, asked).stream()
                        .filter(host -> said.equals(host.shown("name")))
                        .toList();
        return one(meant, "host", said, "list_hosts", "say its id");
    }

    private List<JsonFields> hosts(String said, Request asked) {
        if (!routes.has(HttpMethod.GET, HOSTS)) {
            return Json.fields(routes.get(asked, "/view/hosts", Map.of())).list("rows");
        }
        List<JsonFields> all = new ArrayList<>();
        Map<String, String> query = new HashMap<>(Map.of("q", said, "limit", "" + PAGE));
        String next;
        do {
            JsonFields page = Json.fields(routes.get(asked, HOSTS, query));
            all.addAll(page.list("hosts"));
            next = page.shown("next");
            query.put("after", next);
        } while (!next.isEmpty());
        return all;
    }

    private static String one(
            List<JsonFields> meant, String what, String said, String list, String clearer) {
        return switch (meant.size()) {
            case 1 -> meant.getFirst().shown("id");
            case 0 ->
                    throw new SkepException(
                            ErrorCode.NOT_FOUND,
                            "there is no %s %s; %s lists them".formatted(what, said, list));
            default ->
                    throw new SkepException(
                            ErrorCode.BAD_REQUEST,
                            "there are several of the name %s; %s".formatted(said, clearer));
        };
    }
}
