package dev.skep.runner.tools;

import static dev.skep.transport.mcp.ToolArgument.choice;
import static dev.skep.transport.mcp.ToolArgument.longText;
import static dev.skep.transport.mcp.ToolArgument.number;
import static dev.skep.transport.mcp.ToolArgument.text;

import dev.skep.agents.mail.Mail;
import dev.skep.agents.mail.MailDraft;
import dev.skep.agents.mail.SendResult;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.command.AgentMail;
import dev.skep.runner.command.MailText;
import dev.skep.transport.mcp.ToolArgument;
import dev.skep.transport.mcp.ToolDescription;
import dev.skep.transport.route.JsonFields;
import java.util.List;
import java.util.Optional;

/** Mail, as tools. */
final class MailTools {
    static final String WAIT = "wait_seconds";
    static final int LONGEST_BODY = 200_000;

    private final AgentMail mail;
    private final MailWait wait;

    MailTools(AgentMail mail, MailWait wait) {
        this.mail = mail;
        this.wait = wait;
    }

    /** How long a tool may be told to wait. */
    static ToolArgument wait(String description) {
        return number(WAIT, 0, 3_600, description).optional();
    }

    List<AgentTool> all() {
        return List.of(
                new AgentTool(
                        new ToolDescription(
                                "mail_send",
                                "Sends mail to other agents or to people. Mail starts an agent that is not running. It goes to all of them or, if a name is unknown, to nobody.",
                                List.of(
                                        text(
                                                "to",
                                                "Names, separated by commas: alice, bob@host-2. agents_list shows them."),
                                        text("subject", "In a few words."),
                                        longText("body", LONGEST_BODY, "What to tell them."),
                                        text("cc", "Names of others who get a copy.").optional(),
                                        text("reply_to", "The id of the mail this answers.")
                                                .optional()),
                                false),
                        this::send),
                new AgentTool(
                        new ToolDescription(
                                "mail_list",
                                "Lists your newest mail: id, time, who, subject. A star marks what you have not read.",
                                List.of(
                                        choice(
                                                        "box",
                                                        List.of("inbox", "outbox", "unread"),
                                                        "What to list; the inbox if left out.")
                                                .optional()),
                                true),
                        this::list),
                new AgentTool(
                        new ToolDescription(
                                "mail_read",
                                "Shows one mail and marks it as read.",
                                List.of(
                                        text(
                                                        "id",
                                                        "Its id, or the end of it; the oldest unread mail if left out.")
                                                .optional()),
                                false),
                        this::read),
                new AgentTool(
                        new ToolDescription(
                                "mail_search",
                                "Finds a text in the subjects and bodies of mail that you sent or received.",
                                List.of(text("text", "What to look for.")),
                                true),
                        this::search),
                new AgentTool(
                        new ToolDescription(
                                "mail_wait",
                                "Waits until you have unread mail and lists it. If you have nothing else to do, rather end your turn: mail wakes you.",
                                List.of(wait("Wait at most so long; less than a minute is usual.")),
                                true),
                        this::await));
    }

    private ToolAnswer send(ToolCall call) {
        JsonFields given = call.given();
        MailDraft draft =
                new MailDraft(
                        call.caller().principal().id(),
                        AgentMail.names(given.text("to")),
                        AgentMail.names(given.optionalText("cc").orElse(null)),
                        List.of(),
                        given.text("subject"),
                        given.longText("body", LONGEST_BODY),
                        given.optionalText("reply_to").orElse(null));
        return switch (mail.send(call.caller().principal(), draft)) {
            case SendResult.Sent(var id, _) ->
                    ToolAnswer.of(
                            "Sent %s to %s.".formatted(id, String.join(", ", draft.everybody())));
            case SendResult.Refused(var problems) -> notSent(problems);
        };
    }

    static ToolAnswer notSent(List<String> problems) {
        return ToolAnswer.failed(
                "Nothing was sent: %s. agents_list shows who can be mailed."
                        .formatted(String.join("; ", problems)));
    }

    private ToolAnswer list(ToolCall call) {
        Principal.Agent who = call.caller().principal();
        return ToolAnswer.of(
                switch (call.given().shown("box")) {
                    case "outbox" -> AgentMail.list("Outbox", mail.outbox(who), false);
                    case "unread" -> AgentMail.list("Unread", mail.unread(who), true);
                    default -> AgentMail.list("Inbox", mail.inbox(who), true);
                });
    }

    private ToolAnswer read(ToolCall call) {
        Principal.Agent who = call.caller().principal();
        Optional<String> wanted = call.given().optionalText("id");
        Optional<String> id = wanted.or(() -> mail.unread(who).stream().map(Mail::id).findFirst());
        if (id.isEmpty()) {
            return ToolAnswer.of("No unread mail.");
        }
        return mail.read(who, id.get())
                .map(found -> ToolAnswer.of(MailText.whole(found)))
                .orElseGet(
                        () ->
                                ToolAnswer.failed(
                                        "You have no mail '%s'; mail_list shows ids."
                                                .formatted(id.get())));
    }

    private ToolAnswer search(ToolCall call) {
        return ToolAnswer.of(
                AgentMail.list(
                        "Found",
                        mail.search(call.caller().principal(), call.given().text("text")),
                        true));
    }

    private ToolAnswer await(ToolCall call) throws InterruptedException {
        return wait.until(
                        call,
                        () ->
                                Optional.of(mail.unread(call.caller().principal()))
                                        .filter(found -> !found.isEmpty()))
                .map(found -> ToolAnswer.of(AgentMail.list("Unread", found, true)))
                .orElseGet(() -> ToolAnswer.of("No mail came yet."));
    }
}
