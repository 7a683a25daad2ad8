package dev.skep.cli.acp;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.route.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An agent on any host, through a hub and with an operator's key. */
public final class HubAgentClient implements AgentClient {
    private static final int LINES = 500;
    private static final long LOOK_AGAIN = 200;
    private static final Set<String> UNDER_WAY = Set.of("pending", "running");

    private final ApiClient api;
    private final String org;
    private final String said;
    private volatile Optional<String> id = Optional.empty();

    /**
     * Asks nothing yet.
     *
     * @param said the agent's name, name@host or id
     */
    public HubAgentClient(ApiClient api, String org, String said) {
        this.api = api;
        this.org = "/api/orgs/" + UrlText.of(org);
        this.said = said;
    }

    @Override
    public State state() {
        JsonFields agent =
                get("/view/agents/" + id())
                        .object("agent")
                        .orElseThrow(() -> new SkepException(ErrorCode.NOT_FOUND, none()));
        return new State(agent.shown("username"), agent.shown("status"), agent.shown("reason"));
    }

    private String none() {
        return "there is no agent '%s' at this hub".formatted(said);
    }

    /** Found once: it stays the same agent when it is renamed or moves. */
    private String id() {
        if (id.isEmpty()) {
            List<JsonFields> meant =
                    get("/view/agents").list("rows").stream()
                            .filter(each -> !each.flag("removed"))
                            .filter(this::isMeant)
                            .toList();
            if (meant.size() != 1) {
                throw new SkepException(
                        ErrorCode.NOT_FOUND,
                        meant.isEmpty()
                                ? none()
                                : "several hosts have an agent '%s'; say %s@HOST"
                                        .formatted(said, said));
            }
            id = Optional.of(meant.getFirst().text("id"));
        }
        return id.get();
    }

    private boolean isMeant(JsonFields agent) {
        String name = agent.shown("username");
        return said.equals(agent.shown("id"))
                || said.equals(name)
                || said.equals(name + "@" + agent.shown("hostName"));
    }

    @Override
    public List<JsonFields> linesAfter(String line) {
        return get("/view/history/log?agent=%s&after=%s&limit=%d"
                        .formatted(id(), UrlText.of(line), LINES))
                .list("lines");
    }

    @Override
    public String lastLine() {
        List<JsonFields> last =
                get("/view/history/log?agent=%s&limit=1".formatted(id())).list("lines");
        return last.isEmpty() ? "" : last.getFirst().text("id");
    }

    @Override
    public List<JsonFields> approvals() {
        String agent = id();
        return get("/view/approvals").list("rows").stream()
                .filter(
                        each ->
                                each.shown("agent").equals(agent)
                                        && each.shown("decision").equals("pending"))
                .toList();
    }

    @Override
    public void say(String text) throws InterruptedException {
        if (state().isOver()) {
            done(post("/agents/" + id() + "/start", Map.of()));
        }
        done(post("/agents/" + id() + "/talk", Map.of("text", text)));
    }

    /** A hub asks the agent's host by a job; what became of it is what became of the asking. */
    private void done(JsonFields asked) throws InterruptedException {
        // A hub of an earlier version says job only.
        String job = asked.optionalText("jobId").orElseGet(() -> asked.shown("job"));
        if (job.isEmpty()) {
            return;
        }
        try {
            JsonFields shown = job(job);
            while (UNDER_WAY.contains(shown.shown("status"))) {
                Thread.sleep(LOOK_AGAIN);
                shown = job(job);
            }
            if (!shown.shown("status").equals("succeeded")) {
                throw new SkepException(
                        ErrorCode.JOB_FAILED, "the agent's host did not pass it on: " + why(shown));
            }
        } catch (InterruptedException e) {
            var _ = post("/jobs/" + UrlText.of(job) + "/cancel", Map.of());
            throw e;
        }
    }

    private static String why(JsonFields job) {
        return job.object("run")
                .flatMap(run -> run.object("result"))
                .map(result -> result.shown("error"))
                .filter(error -> !error.isEmpty())
                .orElse(job.shown("status"));
    }

    private JsonFields job(String job) throws InterruptedException {
        while (true) {
            try {
                return get("/jobs/" + UrlText.of(job));
            } catch (SkepException e) {
                if (!ConnectionFailures.mayPass(e)) {
                    throw e;
                }
                Thread.sleep(LOOK_AGAIN);
            }
        }
    }

    @Override
    public void cancel() {
        var _ = post("/agents/" + id() + "/cancel", Map.of());
    }

    @Override
    public void decide(String approval, Decision decision) {
        String word =
                switch (decision) {
                    case ONCE -> "approve";
                    case ALWAYS -> "always";
                    case DENY -> "deny";
                };
        var _ = post("/approvals/" + UrlText.of(approval), Map.of("decision", word));
    }

    private JsonFields get(String path) {
        return api.get(org + path).fields();
    }

    private JsonFields post(String path, Map<String, ?> body) {
        return api.post(org + path, body).fields();
    }

    @Override
    public void close() {
        api.close();
    }
}
