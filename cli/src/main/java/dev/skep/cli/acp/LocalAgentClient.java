package dev.skep.cli.acp;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.route.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** An agent of the runner of a data dir, which may be restarted at another address. */
public final class LocalAgentClient implements AgentClient {
    private static final int LINES = 500;

    private final Supplier<ApiClient> open;
    private final String name;
    private volatile String here = "";
    private volatile Optional<ApiClient> api = Optional.empty();

    /**
     * Asks nothing yet.
     *
     * @param open the way to the process as it is now
     */
    public LocalAgentClient(Supplier<ApiClient> open, String name) {
        this.open = open;
        this.name = name;
    }

    @Override
    public State state() {
        JsonFields agent =
                get("/api/runner/agents").list("agents").stream()
                        .filter(
                                each ->
                                        each.shown("username").equals(name)
                                                && !each.shown("status").equals("removed"))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new SkepException(
                                                ErrorCode.NOT_FOUND,
                                                "there is no agent '%s'; 'skep agents' lists them"
                                                        .formatted(name)));
        if (here.isEmpty()) {
            here = get("/api/host").text("name");
        }
        if (!agent.shown("host").equals(here)) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "%s is on host %s: open it there, or through a hub with --hub"
                            .formatted(name, agent.shown("host")));
        }
        return new State(name, agent.shown("status"), agent.shown("note"));
    }

    @Override
    public List<JsonFields> linesAfter(String id) {
        return get("/api/runner/logs?agent=%s&after=%s&limit=%d"
                        .formatted(UrlText.of(name), UrlText.of(id), LINES))
                .list("lines");
    }

    @Override
    public String lastLine() {
        List<JsonFields> last =
                get("/api/runner/logs?agent=%s&limit=1".formatted(UrlText.of(name))).list("lines");
        return last.isEmpty() ? "" : last.getFirst().text("id");
    }

    @Override
    public List<JsonFields> approvals() {
        return get("/api/runner/approvals").list("approvals").stream()
                .filter(each -> each.shown("agent").equals(name))
                .toList();
    }

    @Override
    public void say(String text) {
        if (state().isOver()) {
            post("/api/runner/agents/" + UrlText.of(name) + "/start", Map.of("task", text));
        } else {
            post("/api/runner/agents/" + UrlText.of(name) + "/talk", Map.of("text", text));
        }
    }

    @Override
    public void cancel() {
        post("/api/runner/agents/" + UrlText.of(name) + "/cancel", Map.of());
    }

    @Override
    public void decide(String approval, Decision decision) {
        post(
                "/api/runner/approvals/%s/%s"
                        .formatted(
                                UrlText.of(approval),
                                decision == Decision.DENY ? "deny" : "approve"),
                decision == Decision.ALWAYS ? Map.of("always", true) : Map.of());
    }

    private JsonFields get(String path) {
        return JsonFields.of(reached(each -> each.get(path)).json());
    }

    private void post(String path, Map<String, ?> body) {
        var _ = reached(each -> each.post(path, body));
    }

    private interface Call {
        ApiClient.Answer on(ApiClient api);
    }

    private ApiClient.Answer reached(Call call) {
        ApiClient current = api.orElseGet(open);
        api = Optional.of(current);
        try {
            return call.on(current);
        } catch (SkepException e) {
            // A process that was started again has another port and another secret.
            if (e.code() == ErrorCode.HUB_UNREACHABLE || e.code() == ErrorCode.UNAUTHENTICATED) {
                api = Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public void close() {
        api.ifPresent(ApiClient::close);
    }
}
