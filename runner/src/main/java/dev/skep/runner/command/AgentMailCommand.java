package dev.skep.runner.command;

import dev.skep.agents.mail.Mail;
import dev.skep.agents.mail.MailDraft;
import dev.skep.agents.mail.SendResult;
import dev.skep.kernel.identity.Principal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code mail}: between agents, and between agents and people. */
public final class AgentMailCommand implements BuiltInCommand {
    private final AgentMail mail;

    public AgentMailCommand(AgentMail mail) {
        this.mail = mail;
    }

    @Override
    public String name() {
        return "mail";
    }

    @Override
    public String summary() {
        return "send and read mail: send, inbox, outbox, read, search, archive, wait";
    }

    @Override
    public String usage() {
        return """
          mail send NAME[,NAME...] "SUBJECT" "BODY" [--cc NAMES] [--bcc NAMES] [--reply-to ID]
              (instead of "BODY" a here-document may follow: mail send bob "Hi" <<END)
          mail inbox             received and not archived, newest first
          mail outbox            sent, newest first
          mail read [ID]         read one; without ID the oldest unread one
          mail search "TEXT"     in subjects and bodies, archived mail too
          mail archive ID...     take out of the inbox
          mail wait [SECONDS]    do nothing until mail comes""";
    }

    @Override
    public CommandResult run(Caller caller, List<String> words, @Nullable String input) {
        Principal.Agent who = caller.principal();
        List<String> rest = words.isEmpty() ? List.of() : words.subList(1, words.size());
        return switch (words.isEmpty() ? "inbox" : words.getFirst()) {
            case "send" -> send(who, rest, input);
            case "inbox" -> list("Inbox", mail.inbox(who), true);
            case "outbox" -> list("Outbox", mail.outbox(who), false);
            case "read" -> read(who, rest);
            case "search" ->
                    rest.size() == 1
                            ? list("Found", mail.search(who, rest.getFirst()), true)
                            : BuiltInCommands.usageError(this, "search needs one text");
            case "archive" -> archive(who, rest);
            case "wait" -> WaitArguments.answer(this, rest, true);
            default ->
                    BuiltInCommands.usageError(
                            this, "there is no '%s'".formatted(words.getFirst()));
        };
    }

    private CommandResult send(Principal.Agent who, List<String> words, @Nullable String input) {
        SendOptions options = SendOptions.of(words);
        List<String> plain = options.plain();
        String problem = options.problem();
        if (problem != null) {
            return BuiltInCommands.usageError(this, problem);
        }
        if (plain.size() != (input == null ? 3 : 2)) {
            return BuiltInCommands.usageError(
                    this, "send needs names, a subject and a body; quote texts with spaces");
        }
        String body = input == null ? plain.get(2).replace("\\n", "\n") : input;
        MailDraft draft =
                new MailDraft(
                        who.id(),
                        AgentMail.names(plain.getFirst()),
                        AgentMail.names(options.value("--cc")),
                        AgentMail.names(options.value("--bcc")),
                        plain.get(1),
                        body,
                        options.value("--reply-to"));
        return switch (mail.send(who, draft)) {
            case SendResult.Sent(var id, _) ->
                    CommandResult.of(
                            "Sent %s to %s.".formatted(id, String.join(", ", draft.everybody())));
            case SendResult.Refused(var problems) ->
                    CommandResult.refused(
                            "nothing was sent: %s; 'agent list' shows who can be mailed"
                                    .formatted(String.join("; ", problems)));
        };
    }

    private CommandResult read(Principal.Agent who, List<String> words) {
        Optional<String> id =
                words.isEmpty()
                        ? mail.unread(who).stream().map(Mail::id).findFirst()
                        : Optional.of(words.getFirst());
        if (id.isEmpty()) {
            return CommandResult.of("No unread mail.");
        }
        return mail.read(who, id.get())
                .map(found -> CommandResult.of(MailText.whole(found)))
                .orElseGet(
                        () ->
                                CommandResult.refused(
                                        "mail: you have no mail '%s'; 'mail inbox' shows ids"
                                                .formatted(id.get())));
    }

    private CommandResult archive(Principal.Agent who, List<String> ids) {
        if (ids.isEmpty()) {
            return BuiltInCommands.usageError(this, "archive needs an id");
        }
        List<String> unknown = mail.archive(who, ids);
        return unknown.isEmpty()
                ? CommandResult.of("Archived %d.".formatted(ids.size()))
                : CommandResult.refused(
                        "mail: you have no mail %s; nothing was archived"
                                .formatted(String.join(", ", unknown)));
    }

    private static CommandResult list(String title, List<Mail> mails, boolean received) {
        return CommandResult.of(AgentMail.list(title, mails, received));
    }
}
