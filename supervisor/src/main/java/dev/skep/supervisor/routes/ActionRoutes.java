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
import dev.skep.transport.describe.Operation;
import dev.skep.transport.describe.Sparse;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
                post("/agents/{agent}/{action}", this::act)
                        .described(
                                Operation.of(
                                                "Start, stop, pause, resume, talk to or rename an agent, on whichever host; on a hub the answer is the job that does it.")
                                        .takes(ActionText.class)
                                        .answers(ActionOutcome.class)
                                        .answers(202, ActionOutcome.class)),
                post("/approvals/{approval}", this::decide)
                        .described(
                                Operation.of("Approves or denies a command that waits.")
                                        .takes(Decision.class)
                                        .answers(ActionOutcome.class)
                                        .answers(202, ActionOutcome.class)),
                post("/mail", this::send)
                        .described(
                                Operation.of("Sends mail as the operator.")
                                        .takes(OperatorMail.class)
                                        .creates(SentMail.class)));
    }

    /**
     * What goes with an action.
     *
     * @param text the task, the words or the new name
     */
    private record ActionText(@Nullable String text) {}

    /**
     * What became of it.
     *
     * @param outcome done, or queued as a job of the agent's host
     * @param job the same as jobId, under the name of earlier versions
     */
    private record ActionOutcome(String outcome, @Nullable String jobId, @Nullable String job)
            implements Sparse {
        static ActionOutcome queued(String job) {
            return new ActionOutcome("queued", job, job);
        }
    }

    /**
     * About a command that waits.
     *
     * @param reason of a denial
     */
    private record Decision(ApprovalSource.Choice decision, @Nullable String reason) {}

    /**
     * A message.
     *
     * @param to names, with commas or spaces between
     */
    private record OperatorMail(
            String to,
            @Nullable String cc,
            String subject,
            String body,
            @Nullable String replyTo) {}

    private record SentMail(String id) {}

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
        String text = Optional.ofNullable(request.body(ActionText.class).text()).orElse("");
        return response(controls.act(request.actor(), new AgentId(id), action, text));
    }

    private static Response response(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done() -> Response.json(new ActionOutcome("done", null, null));
            case Outcome.Queued(String job) -> Response.json(202, ActionOutcome.queued(job));
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
        Decision asked = request.body(Decision.class);
        ApprovalSource.Choice choice = asked.decision();
        if (asked.reason() != null && choice != ApprovalSource.Choice.DENY) {
            throw new SkepException(ErrorCode.BAD_REQUEST, "only a denial has a reason");
        }
        return response(
                ViewRoute.present(sources.approvals(), "approvals")
                        .decide(
                                request.actor(),
                                new ApprovalId(request.parameter("approval")),
                                new ApprovalSource.Answer(choice, asked.reason())));
    }

    private Response send(Request request) {
        Mailing out = ViewRoute.present(mailing, "mail of its own");
        OperatorMail mail = request.body(OperatorMail.class);
        MailDraft draft =
                new MailDraft(
                        out.mailboxes().of(request.actor()),
                        addresses(mail.to()),
                        addresses(Optional.ofNullable(mail.cc()).orElse("")),
                        List.of(),
                        mail.subject(),
                        mail.body(),
                        mail.replyTo());
        return switch (out.mail().send(request.principal(), draft)) {
            case SendResult.Sent(String id, _) -> Response.created(new SentMail(id));
            case SendResult.Refused(List<String> problems) ->
                    throw new SkepException(ErrorCode.BAD_REQUEST, String.join("; ", problems));
        };
    }

    private static List<String> addresses(String text) {
        return Arrays.stream(text.split("[,;\\s]+", -1)).filter(a -> !a.isEmpty()).toList();
    }
}
