package dev.skep.runner;

import dev.skep.agents.AgentMergeStore;
import dev.skep.agents.AgentTables;
import dev.skep.agents.mail.MailReader;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.runner.mail.UnreadMail;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Is called when mail was stored, by an agent here or by sync, and notifies its recipients. Mails
 * that arrive together are looked up together.
 */
final class MailNotifier implements Component {
    private final EventBus eventBus;
    private final UnreadMail unread;
    private final AgentMergeStore reunions;
    private final Consumer<AgentId> mailCame;
    private final PeriodicTask task;
    private final Map<MailReader.Heap, MailReader.Unread> seen = new HashMap<>();
    private EventBus.@Nullable Subscription subscription;

    MailNotifier(
            EventBus eventBus,
            UnreadMail unread,
            Supplier<Duration> lookAgainIn,
            AgentMergeStore reunions,
            Consumer<AgentId> mailCame) {
        this.eventBus = eventBus;
        this.unread = unread;
        this.reunions = reunions;
        this.mailCame = mailCame;
        this.task = new PeriodicTask("mail-watch", Duration.ZERO, lookAgainIn, this::look);
    }

    @Override
    public void start() {
        subscription = eventBus.subscribe(this::heard);
        task.start();
    }

    /** Whose mail it is, or what is known of it, may have changed. */
    void lookAgain() {
        task.wake();
    }

    private void heard(FleetEvent event) {
        if (event instanceof FleetEvent.RowsStored rows
                && rows.tables().contains(AgentTables.MAIL_RECIPIENTS.name())) {
            task.wake();
        }
    }

    private void look() {
        reunions.readdress();
        unread.news(seen).forEach(mailCame);
    }

    @Override
    public void close() {
        if (subscription != null) {
            subscription.close();
        }
        task.close();
    }
}
