package dev.skep.runner.command;

import dev.skep.agents.mail.Mail;
import dev.skep.agents.mail.MailDraft;
import dev.skep.agents.mail.MailReader;
import dev.skep.agents.mail.MailStore;
import dev.skep.agents.mail.Mailbox;
import dev.skep.agents.mail.SendResult;
import dev.skep.runner.mail.UnreadMail;
import dev.skep.shell.redact.Redactor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code mail}: between agents, and between agents and people. */
public final class AgentMailCommand implements BuiltInCommand {
    private static final int LIST = 20;

    private final MailStore store;
    private final MailReader reader;
    private final UnreadMail unread;
    private final Redactor redactor;

    public AgentMailCommand(
            MailStore store, MailReader reader, UnreadMail unread, Redactor redactor) {
        this.store = store;
        this.reader = reader;
        this.unread = unread;
        this.redactor = redactor;
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
        Mailbox mailbox = Mailbox.open(caller.principal(), caller.agent().id());
        List<String> rest = words.isEmpty() ? List.of() : words.subList(1, words.size());
        return switch (words.isEmpty() ? "inbox" : words.getFirst()) {
            case "send" -> send(caller, rest, input);
            case "inbox" -> list("Inbox", reader.inbox(mailbox, LIST), true);
            case "outbox" -> list("Outbox", reader.outbox(mailbox, LIST), false);
            case "read" -> read(mailbox, rest);
            case "search" ->
                    rest.size() == 1
                            ? list("Found", reader.search(mailbox, rest.getFirst(), LIST), true)
                            : BuiltInCommands.usageError(this, "search needs one text");
            case "archive" -> archive(mailbox, rest);
            case "wait" -> WaitArguments.answer(this, rest, true);
            default ->
                    BuiltInCommands.usageError(
                            this, "there is no '%s'".formatted(words.getFirst()));
        };
    }

    private CommandResult send(Caller caller, List<String> words, @Nullable String input) {
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
                        caller.agent().id(),
                        names(plain.getFirst()),
                        names(options.value("--cc")),
                        names(options.value("--bcc")),
                        redactor.redact(plain.get(1)),
                        redactor.redact(body),
                        options.value("--reply-to"));
        return switch (store.send(caller.principal(), draft)) {
            case SendResult.Sent(var id, _) ->
                    CommandResult.of(
                            "Sent %s to %s.".formatted(id, String.join(", ", draft.everybody())));
            case SendResult.Refused(var problems) ->
                    CommandResult.refused(
                            "nothing was sent: %s; 'agent list' shows who can be mailed"
                                    .formatted(String.join("; ", problems)));
        };
    }

    private CommandResult read(Mailbox mailbox, List<String> words) {
        Optional<Mail> found =
                words.isEmpty()
                        ? unread.in(mailbox, 1).stream().findFirst()
                        : reader.find(mailbox, words.getFirst());
        if (found.isEmpty()) {
            return words.isEmpty()
                    ? CommandResult.of("No unread mail.")
                    : CommandResult.refused(
                            "mail: you have no mail '%s'; 'mail inbox' shows ids"
                                    .formatted(words.getFirst()));
        }
        Mail mail = found.get();
        store.markRead(mailbox, mail.id());
        return CommandResult.of(MailText.whole(mail));
    }

    private CommandResult archive(Mailbox mailbox, List<String> ids) {
        if (ids.isEmpty()) {
            return BuiltInCommands.usageError(this, "archive needs an id");
        }
        List<String> unknown =
                ids.stream().filter(id -> reader.find(mailbox, id).isEmpty()).toList();
        if (!unknown.isEmpty()) {
            return CommandResult.refused(
                    "mail: you have no mail %s; nothing was archived"
                            .formatted(String.join(", ", unknown)));
        }
        ids.forEach(
                id ->
                        reader.find(mailbox, id)
                                .ifPresent(mail -> store.archive(mailbox, mail.id())));
        return CommandResult.of("Archived %d.".formatted(ids.size()));
    }

    private static CommandResult list(String title, List<Mail> mails, boolean received) {
        return CommandResult.of(
                mails.isEmpty()
                        ? title + ": nothing."
                        : title
                                + ":\n"
                                + mails.stream()
                                        .map(mail -> MailText.line(mail, received))
                                        .collect(Collectors.joining("\n")));
    }

    static List<String> names(@Nullable String list) {
        return list == null
                ? List.of()
                : Arrays.stream(list.split("[,\\s]+", -1)).filter(name -> !name.isEmpty()).toList();
    }
}
