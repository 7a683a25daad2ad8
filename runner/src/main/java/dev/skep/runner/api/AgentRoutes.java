package dev.skep.runner.api;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentRuntime;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Role;
import dev.skep.kernel.row.NameTakenMessage;
import dev.skep.runner.AgentService;
import dev.skep.runner.ChangeOrigin;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.NewAgent;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Agents: who there is, and what people want of them. */
public final class AgentRoutes implements Route.Source {
    private final AgentService agentService;

    public AgentRoutes(AgentService agentService) {
        this.agentService = agentService;
    }

    /**
     * An agent as people see it.
     *
     * @param runtime what thinks for it; {@code skep} is our own loop
     * @param metered whether its calls are counted in dollars
     * @param note what a person should know or do about it, or null
     */
    public record AgentSummary(
            String username,
            @Nullable String title,
            String kind,
            String status,
            String host,
            @Nullable String lead,
            @Nullable Long budgetLeft,
            @Nullable String lastActive,
            @Nullable String removedAt,
            @Nullable String note,
            String runtime,
            boolean metered) {}

    /** What is wrong with an agent's file. */
    public record FileProblem(String file, int line, int column, String key, String message) {}

    @Override
    public List<Route> routes() {
        return List.of(
                read("/api/runner/agents", this::list)
                        .described(
                                Operation.of(
                                                "Agents this runner knows, with status and money left.")
                                        .answers(AgentList.class)),
                read("/api/runner/problems", this::problems)
                        .described(
                                Operation.of("What is wrong with agents' files.")
                                        .answers(ProblemList.class)),
                act("/api/runner/agents", this::create)
                        .described(
                                RunnerResponses.action("Makes an agent: a file.")
                                        .takes(AgentToMake.class)),
                act("/api/runner/reload", _ -> RunnerResponses.of(agentService.reload()))
                        .described(RunnerResponses.action("Reads agents' files again.")),
                act("/api/runner/agents/{agent}/start", this::start)
                        .described(
                                RunnerResponses.action("Starts it, with a task if there is one.")
                                        .takes(StartOrder.class)),
                act("/api/runner/agents/{agent}/talk", this::talk)
                        .described(
                                RunnerResponses.action("Says something to it.").takes(Said.class)),
                act("/api/runner/agents/{agent}/stop", this::stop)
                        .described(RunnerResponses.action("Stops it.")),
                act(
                                "/api/runner/agents/{agent}/pause",
                                r -> RunnerResponses.of(agentService.pause(agent(r))))
                        .described(RunnerResponses.action("Lets it finish its step and holds it.")),
                act(
                                "/api/runner/agents/{agent}/resume",
                                r -> RunnerResponses.of(agentService.resume(agent(r))))
                        .described(RunnerResponses.action("Lets a held one go on.")),
                act(
                                "/api/runner/agents/{agent}/cancel",
                                r -> RunnerResponses.of(agentService.cancel(agent(r))))
                        .described(
                                RunnerResponses.action("Gives up what it is doing and holds it.")),
                act("/api/runner/agents/{agent}/remove", this::remove)
                        .described(
                                RunnerResponses.action("Removes it; its history stays.")
                                        .takes(Removal.class)),
                act(
                                "/api/runner/agents/{agent}/restore",
                                r -> RunnerResponses.of(agentService.restore(agent(r))))
                        .described(RunnerResponses.action("Brings a removed one back.")),
                new Route(
                                HttpMethod.POST,
                                "/api/runner/agents/{agent}/own",
                                Access.local(),
                                OrgScope.NONE,
                                r -> RunnerResponses.of(agentService.makeOwn(agent(r))))
                        .described(
                                RunnerResponses.action(
                                        "Makes an agent that came from another host this host's own.")));
    }

    private record AgentList(List<AgentSummary> agents) {}

    private record ProblemList(List<FileProblem> problems) {}

    private record AgentToMake(
            String username,
            @Nullable String title,
            @Nullable String prompt,
            @Nullable String runtime,
            @Nullable String model,
            @Nullable String lead) {}

    private record StartOrder(@Nullable String task) {}

    private record Said(String text) {}

    private record Removal(@Nullable Boolean discardWork) {}

    static Route read(String path, Route.Handler handler) {
        return new Route(
                HttpMethod.GET, path, Access.operators(Role.VIEWER), OrgScope.CALLER, handler);
    }

    static Route act(String path, Route.Handler handler) {
        return new Route(
                HttpMethod.POST, path, Access.operators(Role.OPERATOR), OrgScope.CALLER, handler);
    }

    private static String agent(Request request) {
        return request.parameter("agent");
    }

    private Response list(Request request) {
        AgentNames names = new AgentNames(agentService.stores().agents(), request.principal());
        Map<AgentId, AgentStatus> statuses = agentService.statuses(request.principal());
        Map<AgentId, Notification> notifications = new HashMap<>();
        agentService
                .stores()
                .notifications()
                .all(request.principal())
                .forEach(each -> notifications.put(each.agent(), each));
        return Response.json(
                new AgentList(
                        names.all().stream()
                                .map(
                                        agent ->
                                                shown(
                                                        agent,
                                                        names,
                                                        statuses.getOrDefault(
                                                                agent.id(), AgentStatus.STOPPED),
                                                        notifications.get(agent.id())))
                                .toList()));
    }

    private AgentSummary shown(
            Agent agent,
            AgentNames names,
            AgentStatus status,
            @Nullable Notification notification) {
        AgentRuntime runtime = AgentRuntime.of(agent.config());
        return new AgentSummary(
                agent.username(),
                agent.title(),
                agent.kind().stored(),
                agent.isLive() ? status.stored() : "removed",
                agent.hostName(),
                agent.lead() == null ? null : names.of(agent.lead()),
                notification == null ? null : notification.budgetLeft(),
                notification == null ? null : RunnerResponses.time(notification.lastActive()),
                RunnerResponses.time(agent.deletedAt()),
                note(agent, status, notification),
                runtime.name(),
                runtime.metered());
    }

    /** A name conflict is shown before any other reason. */
    private @Nullable String note(
            Agent agent, AgentStatus status, @Nullable Notification notification) {
        if (!agent.isLive()) {
            return null;
        }
        if (agent.nameConflict()) {
            return NameTakenMessage.username(agent.username());
        }
        String waitsFor = agentService.waitsFor(agent);
        if (waitsFor != null) {
            return waitsFor;
        }
        return notification == null || notification.status() != status
                ? null
                : notification.reason();
    }

    private Response problems(Request request) {
        return Response.json(
                new ProblemList(
                        agentService.problems().stream()
                                .map(
                                        p ->
                                                new FileProblem(
                                                        p.file(),
                                                        p.line(),
                                                        p.column(),
                                                        p.key(),
                                                        p.message()))
                                .toList()));
    }

    private Response create(Request request) {
        JsonFields fields = request.fields().only(AgentToMake.class);
        return RunnerResponses.of(
                agentService.create(
                        new NewAgent(
                                fields.text("username"),
                                fields.optionalText("title").orElse(null),
                                fields.optionalText("prompt").orElse(null),
                                fields.optionalText("runtime").orElse(AgentFile.OWN_LOOP),
                                fields.optionalText("model").orElse(null),
                                fields.optionalText("lead").orElse(null)),
                        ChangeOrigin.here(request.principal().label(), null)));
    }

    private Response remove(Request request) {
        boolean discard = Boolean.TRUE.equals(request.body(Removal.class).discardWork());
        return RunnerResponses.interruptibly(
                () -> RunnerResponses.of(agentService.remove(agent(request), discard)));
    }

    private Response start(Request request) {
        String task = request.body(StartOrder.class).task();
        return RunnerResponses.of(agentService.start(agent(request), task));
    }

    private Response talk(Request request) {
        return RunnerResponses.of(
                agentService.talk(agent(request), request.body(Said.class).text()));
    }

    private Response stop(Request request) {
        return RunnerResponses.of(agentService.stop(request.principal(), agent(request)));
    }
}
