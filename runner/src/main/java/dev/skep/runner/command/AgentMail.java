package dev.skep.runner.command;

import dev.skep.agents.mail.Mail;
import dev.skep.agents.mail.MailDraft;
import dev.skep.agents.mail.MailReader;
import dev.skep.agents.mail.MailStore;
import dev.skep.agents.mail.Mailbox;
import dev.skep.agents.mail.SendResult;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.mail.UnreadMail;
import dev.skep.shell.redact.Redactor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What agents do with their own mail, by a command or by a tool. Thread-safe. */
public final class AgentMail {
    private static final int LIST = 20;
    private static final int UNREAD = 500;

    private final MailStore store;
    private final MailReader reader;
    private final UnreadMail unread;
    private final Redactor redactor;

    public AgentMail(MailStore store, MailReader reader, UnreadMail unread, Redactor redactor) {
        this.store = store;
        this.reader = reader;
        this.unread = unread;
        this.redactor = redactor;
    }

    /** Sends it without the secrets that are known here. */
    public SendResult send(Principal.Agent who, MailDraft draft) {
        return store.send(
                who,
                new MailDraft(
                        draft.from(),
                        draft.to(),
                        draft.cc(),
                        draft.bcc(),
                        redactor.redact(draft.subject()),
                        redactor.redact(draft.body()),
                        draft.replyTo()));
    }

    public List<Mail> inbox(Principal.Agent who) {
        return reader.inbox(mailbox(who), LIST);
    }

    public List<Mail> outbox(Principal.Agent who) {
        return reader.outbox(mailbox(who), LIST);
    }

    public List<Mail> search(Principal.Agent who, String text) {
        return reader.search(mailbox(who), text, LIST);
    }

    /** What is unread, the oldest first. */
    public List<Mail> unread(Principal.Agent who) {
        return unread.in(mailbox(who), UNREAD);
    }

    /** One message, which counts as read from now on. */
    public Optional<Mail> read(Principal.Agent who, String id) {
        Optional<Mail> found = reader.find(mailbox(who), id);
        found.ifPresent(mail -> store.markRead(mailbox(who), mail.id()));
        return found;
    }

    /** Takes all of them out of the inbox, or none; answers those that this mailbox has not. */
    public List<String> archive(Principal.Agent who, List<String> ids) {
        Mailbox mailbox = mailbox(who);
        List<String> unknown =
                ids.stream().filter(id -> reader.find(mailbox, id).isEmpty()).toList();
        if (unknown.isEmpty()) {
            ids.forEach(
                    id ->
                            reader.find(mailbox, id)
                                    .ifPresent(mail -> store.archive(mailbox, mail.id())));
        }
        return unknown;
    }

    private static Mailbox mailbox(Principal.Agent who) {
        return Mailbox.open(who, who.id());
    }

    /** A list as agents read it. */
    public static String list(String title, List<Mail> mails, boolean received) {
        return mails.isEmpty()
                ? title + ": nothing."
                : title
                        + ":\n"
                        + mails.stream()
                                .map(mail -> MailText.line(mail, received))
                                .collect(Collectors.joining("\n"));
    }

    /** The names of a list of them. */
    public static List<String> names(@Nullable String list) {
        return list == null
                ? List.of()
                : Arrays.stream(list.split("[,\\s]+", -1)).filter(name -> !name.isEmpty()).toList();
    }
}
