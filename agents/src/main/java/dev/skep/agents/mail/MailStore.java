package dev.skep.agents.mail;

import dev.skep.agents.AddressResolution;
import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.directory.host.HostNames;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes the tables {@code mail_messages}, {@code mail_recipients} and {@code mail_status}. */
public final class MailStore {
    private final Database database;
    private final OwnRowWriter own;
    private final AgentStore agents;
    private final UlidSource ids;
    private final InstantSource clock;

    public MailStore(
            Database database,
            OwnRowWriter own,
            AgentStore agents,
            UlidSource ids,
            InstantSource clock) {
        this.database = database;
        this.own = own;
        this.agents = agents;
        this.ids = ids;
        this.clock = clock;
    }

    /** Sends from a mailbox the principal may open; an unknown recipient refuses all. */
    public SendResult send(Principal who, MailDraft draft) {
        Mailbox from = Mailbox.open(who, draft.from());
        return database.write(transaction -> send(transaction, who, from, draft));
    }

    private SendResult send(Transaction transaction, Principal who, Mailbox from, MailDraft draft) {
        List<String> problems = new ArrayList<>();
        Map<AgentId, Mail.Type> recipients = new LinkedHashMap<>();
        resolve(transaction, who, draft.to(), Mail.Type.TO, recipients, problems);
        resolve(transaction, who, draft.cc(), Mail.Type.CC, recipients, problems);
        resolve(transaction, who, draft.bcc(), Mail.Type.BCC, recipients, problems);
        if (draft.to().isEmpty()) {
            problems.add("a mail needs at least one recipient");
        }
        Optional<Agent> sender = agents.byId(transaction, who, from.owner());
        if (sender.filter(Agent::isLive).isEmpty()) {
            problems.add("the sender was removed and cannot send mail");
        }
        if (!problems.isEmpty()) {
            return new SendResult.Refused(problems);
        }
        Instant now = clock.instant();
        String id = store(transaction, draft, recipients, now);
        return new SendResult.Sent(id, List.copyOf(recipients.keySet()));
    }

    private void resolve(
            Transaction transaction,
            Principal who,
            List<String> addresses,
            Mail.Type type,
            Map<AgentId, Mail.Type> recipients,
            List<String> problems) {
        for (String address : addresses) {
            List<Agent> named = agents.named(transaction, who, AddressResolution.nameOf(address));
            switch (AddressResolution.resolve(
                    address,
                    named,
                    own.self(),
                    host -> HostNames.of(transaction, who.org(), host))) {
                case AddressResolution.Found(var agent) -> recipients.putIfAbsent(agent.id(), type);
                case AddressResolution.Refused(var problem) -> problems.add(problem);
            }
        }
    }

    private String store(
            Transaction transaction,
            MailDraft draft,
            Map<AgentId, Mail.Type> recipients,
            Instant now) {
        String id = ids.next();
        MailMessage message =
                new MailMessage(
                        id, draft.from(), draft.subject(), draft.body(), draft.replyTo(), now);
        own.put(transaction, MailMessage.ROWS, message, now);
        List<MailRecipient> rows = new ArrayList<>();
        recipients.forEach(
                (agent, type) -> rows.add(new MailRecipient(ids.next(), id, agent, type.stored())));
        own.putAll(transaction, MailRecipient.ROWS, 0, rows, now);
        return id;
    }

    /** Marks a received message read; false if it was already or is not in this mailbox. */
    public boolean markRead(Mailbox mailbox, String messageId) {
        return setStatus(mailbox, messageId, false);
    }

    /** Takes a received message out of the inbox; false if it was already out. */
    public boolean archive(Mailbox mailbox, String messageId) {
        return setStatus(mailbox, messageId, true);
    }

    private boolean setStatus(Mailbox mailbox, String messageId, boolean archive) {
        return database.write(
                transaction -> {
                    if (!isRecipient(transaction, mailbox, messageId)) {
                        return false;
                    }
                    MailStatus before = status(transaction, mailbox, messageId);
                    if ((archive ? before.archivedAt() : before.readAt()) != null) {
                        return false;
                    }
                    Instant now = clock.instant();
                    AgentStore.putMoving(
                            own,
                            transaction,
                            MailStatus.ROWS,
                            mailbox.owner(),
                            before.at(now, archive),
                            now);
                    return true;
                });
    }

    private static boolean isRecipient(Transaction transaction, Mailbox mailbox, String messageId) {
        return transaction
                .first(
                        """
                        SELECT 1 FROM mail_recipients r
                        JOIN mail_messages m ON m.id = r.message_id AND (m.host_id = r.host_id OR r.host_id IN (SELECT w.host_id FROM users w WHERE w.same_as = r.user_id))
                        WHERE r.org_id = ? AND r.user_id = ? AND r.message_id = ?
                        """,
                        row -> true,
                        mailbox.org().value(),
                        mailbox.owner().value(),
                        messageId)
                .isPresent();
    }

    private MailStatus status(Transaction transaction, Mailbox mailbox, String messageId) {
        return transaction
                .first(
                        "SELECT %s FROM mail_status WHERE org_id = ? AND user_id = ? AND message_id = ?"
                                .formatted(MailStatus.ROWS.columns()),
                        MailStatus.ROWS::read,
                        mailbox.org().value(),
                        mailbox.owner().value(),
                        messageId)
                .orElseGet(
                        () -> new MailStatus(ids.next(), messageId, mailbox.owner(), null, null));
    }
}
