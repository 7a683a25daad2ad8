package dev.skep.agents.mail;

import dev.skep.agents.AddressResolution;
import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.agents.AgentTables;
import dev.skep.directory.host.HostNames;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the tables {@code mail_messages}, {@code mail_recipients} and {@code mail_status}. */
public final class MailStore {
    private static final Set<String> DELIVERED =
            Set.of(AgentTables.MAIL_MESSAGES.name(), AgentTables.MAIL_RECIPIENTS.name());

    private final Database database;
    private final OwnRowWriter own;
    private final AgentStore agents;
    private final UlidSource ids;
    private final InstantSource clock;
    private final EventBus eventBus;

    public MailStore(
            Database database,
            OwnRowWriter own,
            AgentStore agents,
            UlidSource ids,
            InstantSource clock,
            EventBus eventBus) {
        this.database = database;
        this.own = own;
        this.agents = agents;
        this.ids = ids;
        this.clock = clock;
        this.eventBus = eventBus;
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
        String id = store(transaction, draft, recipients, Timestamps.format(now));
        transaction.afterCommit(
                () ->
                        eventBus.publish(
                                new FleetEvent.RowsStored(own.org(), now, own.self(), DELIVERED)));
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
            String now) {
        String id = ids.next();
        own.put(
                transaction,
                AgentTables.MAIL_MESSAGES,
                id,
                draft.from().value(),
                draft.subject(),
                draft.body(),
                draft.replyTo(),
                now,
                now);
        List<@Nullable Object[]> rows = new ArrayList<>();
        recipients.forEach(
                (agent, type) ->
                        rows.add(
                                new @Nullable Object[] {
                                    ids.next(), id, agent.value(), type.stored(), now, now
                                }));
        own.putAll(transaction, AgentTables.MAIL_RECIPIENTS, 0, rows);
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

    private record Status(String id, @Nullable String readAt, @Nullable String archivedAt) {}

    private boolean setStatus(Mailbox mailbox, String messageId, boolean archive) {
        return database.write(
                transaction -> {
                    if (!isRecipient(transaction, mailbox, messageId)) {
                        return false;
                    }
                    Status before = status(transaction, mailbox, messageId);
                    if ((archive ? before.archivedAt() : before.readAt()) != null) {
                        return false;
                    }
                    String now = Timestamps.format(clock.instant());
                    AgentStore.putMoving(
                            own,
                            transaction,
                            AgentTables.MAIL_STATUS,
                            mailbox.owner(),
                            before.id(),
                            messageId,
                            mailbox.owner().value(),
                            before.readAt() == null ? now : before.readAt(),
                            archive ? now : before.archivedAt(),
                            now,
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

    private Status status(Transaction transaction, Mailbox mailbox, String messageId) {
        return transaction
                .first(
                        """
                        SELECT id, read_at, archived_at FROM mail_status
                        WHERE org_id = ? AND user_id = ? AND message_id = ?
                        """,
                        row ->
                                new Status(
                                        row.text("id"),
                                        row.textOrNull("read_at"),
                                        row.textOrNull("archived_at")),
                        mailbox.org().value(),
                        mailbox.owner().value(),
                        messageId)
                .orElseGet(() -> new Status(ids.next(), null, null));
    }
}
