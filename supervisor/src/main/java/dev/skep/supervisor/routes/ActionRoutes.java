package dev.skep.supervisor.routes;

import dev.skep.agents.mail.MailDraft;
import dev.skep.agents.mail.MailStore;
import dev.skep.agents.mail.SendResult;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Role;
import dev.skep.supervisor.source.AgentControls;
import dev.skep.supervisor.source.AgentControls.Outcome;
import dev.skep.supervisor.source.ApprovalSource;
import dev.skep.supervisor.source.Sources;
import dev.skep.supervisor.view.FleetReader;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What operators do to agents, and mail from them; the rest is in the features' routes. */
final class ActionRoutes implements Route.Source {
    private final Sources sources;
    private final FleetReader fleet;
    private final Optional<Mailing> mailing;

    /** How operators' mail leaves; absent where the database is only looked at. */
    record Mailing(MailStore mail, Mailboxes mailboxes) {}

    /** Finds the mailbox of an operator, making it the first time. */
    @FunctionalInterface
    interface Mailboxes {
        AgentId of(Actor actor);
    }

    ActionRoutes(Sources sources, FleetReader fleet, Optional<Mailing> mailing) {
        this.sources = sources;
        this.fleet = fleet;
        this.mailing = mailing;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                post("/agents/{agent}/{action}", this::act),
                post("/approvals/{approval}", this::decide),
                post("/mail", this::send));
    }

    private static Route post(String path, Route.Handler handler) {
        return new Route(
                HttpMethod.POST,
                "/api/orgs/{org}" + path,
                Access.operators(Role.OPERATOR),
                OrgScope.PATH,
                handler);
    }

    private Response act(Request request) {
        String id = request.parameter("agent");
        AgentControls controls = ViewRoute.present(sources.controls(), "agents to steer");
        AgentControls.Action action = action(request.parameter("action"));
        if (fleet.agent(request.principal(), id).isEmpty()) {
            throw ViewRoute.none("agent", id);
        }
        String text = request.fields().only("text").optionalText("text").orElse("");
        return response(controls.act(request.actor(), new AgentId(id), action, text));
    }

    private static Response response(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done() -> Response.json(Map.of("outcome", "done"));
            case Outcome.Queued(String job) ->
                    Response.json(202, Map.of("outcome", "queued", "job", job));
            case Outcome.Refused(String problem) ->
                    throw new SkepException(ErrorCode.CONFLICT, problem);
        };
    }

    private static AgentControls.Action action(String name) {
        return Arrays.stream(AgentControls.Action.values())
                .filter(action -> action.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> ViewRoute.none("action", name));
    }

    private Response decide(Request request) {
        JsonFields fields = request.fields().only("decision", "reason");
        ApprovalSource.Choice choice = choice(fields.text("decision"));
        Optional<String> reason = fields.optionalText("reason");
        if (reason.isPresent() && choice != ApprovalSource.Choice.DENY) {
            throw new SkepException(ErrorCode.BAD_REQUEST, "only a denial has a reason");
        }
        return response(
                ViewRoute.present(sources.approvals(), "approvals")
                        .decide(
                                request.actor(),
                                new ApprovalId(request.parameter("approval")),
                                new ApprovalSource.Answer(choice, reason.orElse(null))));
    }

    private static ApprovalSource.Choice choice(String name) {
        return Arrays.stream(ApprovalSource.Choice.values())
                .filter(choice -> choice.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.BAD_REQUEST,
                                        "field 'decision' must be approve, always or deny"));
    }

    private Response send(Request request) {
        Mailing out = ViewRoute.present(mailing, "mail of its own");
        JsonFields fields = request.fields().only("to", "cc", "subject", "body", "replyTo");
        MailDraft draft =
                new MailDraft(
                        out.mailboxes().of(request.actor()),
                        addresses(fields.text("to")),
                        addresses(fields.optionalText("cc").orElse("")),
                        List.of(),
                        fields.text("subject"),
                        fields.text("body"),
                        fields.optionalText("replyTo").orElse(null));
        return switch (out.mail().send(request.principal(), draft)) {
            case SendResult.Sent(String id, _) -> Response.created(Map.of("id", id));
            case SendResult.Refused(List<String> problems) ->
                    throw new SkepException(ErrorCode.BAD_REQUEST, String.join("; ", problems));
        };
    }

    private static List<String> addresses(String text) {
        return Arrays.stream(text.split("[,;\\s]+", -1)).filter(a -> !a.isEmpty()).toList();
    }
}
