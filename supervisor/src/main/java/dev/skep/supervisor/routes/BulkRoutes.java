package dev.skep.supervisor.routes;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.supervisor.source.AgentControls;
import dev.skep.supervisor.source.AgentControls.Action;
import dev.skep.supervisor.source.AgentControls.Outcome;
import dev.skep.supervisor.source.Sources;
import dev.skep.supervisor.view.AgentSelection;
import dev.skep.supervisor.view.AgentView;
import dev.skep.supervisor.view.FleetReader;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Doing the same to many agents at once. */
final class BulkRoutes implements Route.Source {
    private static final List<Action> ACTIONS =
            List.of(
                    Action.START,
                    Action.STOP,
                    Action.PAUSE,
                    Action.RESUME,
                    Action.CANCEL,
                    Action.TALK);

    private static final String DONE = "done";
    private static final String QUEUED = "queued";
    private static final String REFUSED = "refused";
    private static final int MOST_AGENTS = 1_000;

    /** Hosts that are there have done it by then, or refused. */
    private static final Duration TO_ANSWER = Duration.ofSeconds(3);

    private static final Duration LOOK = Duration.ofMillis(50);

    private final Sources sources;
    private final FleetReader fleet;

    /** Closed with the process: nothing waits for its release. */
    private final Semaphore pause = new Semaphore(0);

    BulkRoutes(Sources sources, FleetReader fleet) {
        this.sources = sources;
        this.fleet = fleet;
    }

    /**
     * What came of it.
     *
     * @param asked how many agents were meant
     * @param done by how many it is done
     * @param queued how many hosts have not done it yet; their jobs show when
     * @param refused how many did not do it
     */
    record BulkAnswer(
            String action,
            int asked,
            int done,
            int queued,
            int refused,
            List<BulkResult> results) {}

    /**
     * The same for one agent.
     *
     * @param outcome done, queued or refused
     * @param job the job that does it; null where none is needed
     * @param reason why it was refused; null if it was not
     */
    record BulkResult(
            String agent,
            String username,
            String host,
            String hostName,
            String outcome,
            @Nullable String job,
            @Nullable String reason) {}

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                                HttpMethod.POST,
                                "/api/orgs/{org}/agents/actions",
                                Access.operators(Role.OPERATOR),
                                OrgScope.PATH,
                                this::act)
                        .described(
                                Operation.of(
                                                "The same for many agents: those that are named, or that fit a filter. Waits a moment for their hosts.")
                                        .takes(BulkOrder.class)
                                        .answers(BulkAnswer.class)));
    }

    /**
     * What is to be done with whom.
     *
     * @param action start, stop, pause, resume, cancel or talk
     * @param agents names, name@host or ids; this or the filter
     * @param text what is said, with talk
     */
    private record BulkOrder(
            String action,
            @Nullable List<String> agents,
            @Nullable AgentFilter filter,
            @Nullable String text) {}

    /**
     * Which agents are meant; all that fit what is given.
     *
     * @param host its name or id
     * @param text part of the name, title or model
     */
    private record AgentFilter(
            @Nullable String host, @Nullable String status, @Nullable String text) {}

    private Response act(Request request) {
        AgentControls controls = ViewRoute.present(sources.controls(), "agents to steer");
        JsonFields fields = request.fields().only("action", "agents", "filter", "text");
        Action action = action(fields.text("action"));
        String text = text(action, fields.optionalText("text").orElse(""));
        List<AgentView> chosen = chosen(request.principal(), fields);
        List<Outcome> outcomes =
                controls.actAll(
                        request.actor(),
                        chosen.stream().map(agent -> new AgentId(agent.id())).toList(),
                        action,
                        text);
        return Response.json(answer(action, chosen, settled(request, controls, outcomes)));
    }

    private static Action action(String name) {
        return ACTIONS.stream()
                .filter(action -> word(action).equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                bad(
                                        "field 'action' must be one of "
                                                + ACTIONS.stream()
                                                        .map(BulkRoutes::word)
                                                        .collect(Collectors.joining(", "))));
    }

    private static String word(Action action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    private static String text(Action action, String text) {
        if (action == Action.TALK && text.isBlank()) {
            throw bad("field 'text' is missing: what is said to them");
        }
        if (action != Action.TALK && !text.isEmpty()) {
            throw bad("field 'text' goes with action talk only");
        }
        return text;
    }

    private List<AgentView> chosen(Principal who, JsonFields fields) {
        if (fields.has("agents") == fields.has("filter")) {
            throw bad("name the agents in 'agents', or say in 'filter' which: one of the two");
        }
        List<AgentView> all = fleet.agents(who);
        List<AgentView> chosen =
                fields.has("agents")
                        ? AgentSelection.named(all, fields.textList("agents"))
                        : filtered(who, all, fields.object("filter").orElseThrow());
        if (chosen.size() > MOST_AGENTS) {
            throw bad(
                    "that are %,d agents, at once at most %,d; narrow the filter, as to a host"
                            .formatted(chosen.size(), MOST_AGENTS));
        }
        return chosen;
    }

    private List<AgentView> filtered(Principal who, List<AgentView> all, JsonFields filter) {
        JsonFields known = filter.only("host", "status", "text");
        Optional<String> host = known.optionalText("host");
        if (host.isPresent()
                && fleet.hosts(who).stream()
                        .noneMatch(
                                each ->
                                        each.id().equals(host.get())
                                                || each.name().equals(host.get()))) {
            throw ViewRoute.none("host", host.get());
        }
        return AgentSelection.matching(
                all, host, known.optionalText("status"), known.optionalText("text"));
    }

    /** Waits a moment for hosts that are there, so that people read what came of it. */
    private List<Settled> settled(Request request, AgentControls controls, List<Outcome> outcomes) {
        List<Settled> settled =
                new ArrayList<>(outcomes.stream().map(o -> new Settled(o, job(o))).toList());
        long end = System.nanoTime() + TO_ANSWER.toNanos();
        try {
            while (isAnyQueued(settled) && System.nanoTime() < end) {
                boolean unused = pause.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                settled.replaceAll(
                        each ->
                                each.outcome() instanceof Outcome.Queued(var job)
                                        ? new Settled(
                                                controls.ended(request.principal(), job)
                                                        .orElse(each.outcome()),
                                                each.job())
                                        : each);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return settled;
    }

    private record Settled(Outcome outcome, Optional<String> job) {}

    private static Optional<String> job(Outcome outcome) {
        return outcome instanceof Outcome.Queued(var job) ? Optional.of(job) : Optional.empty();
    }

    private static boolean isAnyQueued(List<Settled> settled) {
        return settled.stream().anyMatch(each -> each.outcome() instanceof Outcome.Queued);
    }

    private static BulkAnswer answer(Action action, List<AgentView> chosen, List<Settled> settled) {
        List<BulkResult> results = new ArrayList<>();
        for (int i = 0; i < chosen.size(); i++) {
            results.add(result(chosen.get(i), settled.get(i)));
        }
        return new BulkAnswer(
                word(action),
                results.size(),
                count(results, DONE),
                count(results, QUEUED),
                count(results, REFUSED),
                results);
    }

    private static BulkResult result(AgentView agent, Settled settled) {
        Outcome outcome = settled.outcome();
        return new BulkResult(
                agent.id(),
                agent.username(),
                agent.host(),
                agent.hostName(),
                switch (outcome) {
                    case Outcome.Done() -> DONE;
                    case Outcome.Queued _ -> QUEUED;
                    case Outcome.Refused _ -> REFUSED;
                },
                settled.job().orElse(null),
                outcome instanceof Outcome.Refused(var why) ? why : null);
    }

    private static int count(List<BulkResult> results, String outcome) {
        return (int) results.stream().filter(each -> each.outcome().equals(outcome)).count();
    }

    private static SkepException bad(String message) {
        return new SkepException(ErrorCode.BAD_REQUEST, message);
    }
}
