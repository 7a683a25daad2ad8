package dev.skep.runner.api;

import dev.skep.agents.Agent;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.ActionResult;
import dev.skep.runner.AgentService;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Doing the same to many agents of this host. */
public final class ManyAgentsRoutes implements Route.Source {
    private final AgentService agentService;

    public ManyAgentsRoutes(AgentService agentService) {
        this.agentService = agentService;
    }

    /** What came of it, in the words that a hub uses for agents of many hosts. */
    public record LocalBulkAnswer(
            String action,
            int asked,
            int done,
            int queued,
            int refused,
            List<LocalBulkResult> results) {}

    /**
     * The same for one agent.
     *
     * @param outcome done or refused
     * @param reason why it was refused; null if it was not
     */
    public record LocalBulkResult(
            String username, String hostName, String outcome, @Nullable String reason) {}

    @Override
    public List<Route> routes() {
        return List.of(
                AgentRoutes.act("/api/runner/actions", this::act)
                        .described(
                                Operation.of(
                                                "The same for many agents of this host: those that are named, or all.")
                                        .takes(LocalBulkOrder.class)
                                        .answers(LocalBulkAnswer.class)));
    }

    /**
     * What is to be done with whom.
     *
     * @param action start, stop, pause, resume, cancel or talk
     * @param agents their names; all of this host if they are left out
     * @param text what is said, with talk
     */
    private record LocalBulkOrder(
            String action, @Nullable List<String> agents, @Nullable String text) {}

    private Response act(Request request) {
        JsonFields fields = request.fields().only("action", "agents", "text");
        String action = fields.text("action");
        String text = fields.optionalText("text").orElse("");
        if (action.equals("talk") == text.isBlank()) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "field 'text' goes with action talk, and only with it");
        }
        List<Agent> own =
                agentService.stores().agents().onThisHost().stream()
                        .filter(agent -> agent.isLive() && agent.kind() == Agent.Kind.AGENT)
                        .toList();
        List<Agent> chosen =
                fields.has("agents")
                        ? fields.textList("agents").stream()
                                .distinct()
                                .map(name -> named(own, name))
                                .toList()
                        : own;
        List<LocalBulkResult> results =
                chosen.stream()
                        .map(agent -> result(agent, act(request.principal(), agent, action, text)))
                        .toList();
        int done = (int) results.stream().filter(each -> each.reason() == null).count();
        return Response.json(
                new LocalBulkAnswer(
                        action, results.size(), done, 0, results.size() - done, results));
    }

    private static Agent named(List<Agent> own, String name) {
        return own.stream()
                .filter(agent -> agent.username().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.NOT_FOUND,
                                        "there is no agent '%s' on this host; nothing was done to any"
                                                .formatted(name)));
    }

    private ActionResult act(Principal who, Agent agent, String action, String text) {
        String name = agent.username();
        return switch (action) {
            case "start" -> agentService.start(name, null);
            case "stop" -> agentService.stop(who, name);
            case "pause" -> agentService.pause(name);
            case "resume" -> agentService.resume(name);
            case "cancel" -> agentService.cancel(name);
            case "talk" -> agentService.talk(name, text);
            default ->
                    throw new SkepException(
                            ErrorCode.BAD_REQUEST,
                            "field 'action' must be one of start, stop, pause, resume, cancel, talk");
        };
    }

    private static LocalBulkResult result(Agent agent, ActionResult result) {
        return switch (result) {
            case ActionResult.Done _ ->
                    new LocalBulkResult(agent.username(), agent.hostName(), "done", null);
            case ActionResult.Refused(var why) ->
                    new LocalBulkResult(agent.username(), agent.hostName(), "refused", why);
        };
    }
}
