package dev.skep.supervisor.routes;

import dev.skep.agents.Agent;
import dev.skep.agents.mail.MailDraft;
import dev.skep.agents.mail.MailReader;
import dev.skep.agents.mail.Mailbox;
import dev.skep.agents.mail.PersonMailboxes;
import dev.skep.agents.mail.SendResult;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Mail to and from the person who is signed in. */
final class PersonMailRoutes implements Route.Source {
    private static final int MOST_UNREAD = 100;

    private final Optional<Mailing> mailing;
    private final MailReader reader;

    /** The mailboxes, and what a person is called in mail. */
    record Mailing(PersonMailboxes mailboxes, Function<Principal, String> names) {
        Optional<Agent> find(Request request) {
            return mailboxes.find(request.org(), names.apply(request.principal()));
        }
    }

    PersonMailRoutes(Database database, Optional<Mailing> mailing) {
        this.mailing = mailing;
        this.reader = new MailReader(database);
    }

    @Override
    public List<Route> routes() {
        return List.of(
                route(HttpMethod.POST, "/mail", Role.OPERATOR, this::send)
                        .described(
                                Operation.of("Sends mail as the operator.")
                                        .takes(OperatorMail.class)
                                        .creates(SentMail.class)),
                route(HttpMethod.GET, "/view/mailbox", Role.VIEWER, this::mine)
                        .described(
                                Operation.of("The mailbox of the caller.")
                                        .answers(MailboxView.class)),
                route(HttpMethod.POST, "/mail/{message}/read", Role.VIEWER, this::read)
                        .described(
                                Operation.of("Marks a message to the caller read.")
                                        .answers(ReadMark.class)));
    }

    private static Route route(
            HttpMethod method, String path, Role atLeast, Route.Handler handler) {
        return new Route(
                method,
                "/api/orgs/{org}" + path,
                Access.operators(atLeast),
                OrgScope.PATH,
                handler);
    }

    private Mailing mailing() {
        return ViewRoute.present(mailing, "mail of its own");
    }

    private Response send(Request request) {
        Mailing out = mailing();
        OrgId org = request.org();
        OperatorMail mail = request.body(OperatorMail.class);
        MailDraft draft =
                new MailDraft(
                        out.mailboxes().made(org, out.names().apply(request.principal())),
                        addresses(mail.to()),
                        addresses(Optional.ofNullable(mail.cc()).orElse("")),
                        List.of(),
                        mail.subject(),
                        mail.body(),
                        mail.replyTo());
        return switch (out.mailboxes().mail(org).send(request.principal(), draft)) {
            case SendResult.Sent(String id, _) -> Response.created(new SentMail(id));
            case SendResult.Refused(List<String> problems) ->
                    throw new SkepException(ErrorCode.BAD_REQUEST, String.join("; ", problems));
        };
    }

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

    /** Whether it was unread until now. */
    private record ReadMark(boolean changed) {}

    private static List<String> addresses(String text) {
        return Arrays.stream(text.split("[,;\\s]+", -1)).filter(a -> !a.isEmpty()).toList();
    }

    /**
     * The mailbox of the caller.
     *
     * @param id null until there is one
     * @param address what agents write to
     * @param unread how many are not read, up to a bound
     */
    private record MailboxView(@Nullable String id, String address, int unread) {}

    private Response mine(Request request) {
        Mailing in = mailing();
        String name = in.names().apply(request.principal());
        return Response.json(
                in.find(request)
                        .map(
                                mailbox ->
                                        new MailboxView(
                                                mailbox.id().value(),
                                                mailbox.nameConflict()
                                                        ? mailbox.fullAddress()
                                                        : name,
                                                reader.unread(
                                                                Mailbox.open(
                                                                        request.principal(),
                                                                        mailbox.id()),
                                                                MOST_UNREAD)
                                                        .size()))
                        .orElseGet(() -> new MailboxView(null, name, 0)));
    }

    /** Marks a message to the caller read; one that is read already stays so. */
    private Response read(Request request) {
        Mailing in = mailing();
        String message = request.parameter("message");
        Mailbox mailbox =
                in.find(request)
                        .map(found -> Mailbox.open(request.principal(), found.id()))
                        .orElseThrow(() -> ViewRoute.none("message", message));
        boolean changed = in.mailboxes().mail(request.org()).markRead(mailbox, message);
        return Response.json(new ReadMark(changed));
    }
}
