package dev.skep.runner;

import dev.skep.agents.AgentMergeStore;
import dev.skep.agents.AgentTables;
import dev.skep.agents.mail.MailReader;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.runner.mail.UnreadMail;
import dev.skep.store.Database;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Is called when mail was stored, by an agent here or by sync, and notifies its recipients. Mails
 * that arrive together are looked up together.
 */
final class MailNotifier implements Component {
    private final Database database;
    private final UnreadMail unread;
    private final AgentMergeStore reunions;
    private final Consumer<AgentId> mailCame;
    private final PeriodicTask task;
    private final Map<MailReader.Heap, MailReader.Unread> seen = new HashMap<>();
    private Database.@Nullable Listening listening;

    MailNotifier(
            Database database,
            UnreadMail unread,
            Supplier<Duration> lookAgainIn,
            AgentMergeStore reunions,
            Consumer<AgentId> mailCame) {
        this.database = database;
        this.unread = unread;
        this.reunions = reunions;
        this.mailCame = mailCame;
        this.task = new PeriodicTask("mail-watch", Duration.ZERO, lookAgainIn, this::look);
    }

    @Override
    public void start() {
        listening = database.onWritten(this::onWritten);
        task.start();
    }

    /** Whose mail it is, or what is known of it, may have changed. */
    void lookAgain() {
        task.wake();
    }

    private void onWritten(Set<String> tables) {
        if (tables.isEmpty() || tables.contains(AgentTables.MAIL_RECIPIENTS.name())) {
            task.wake();
        }
    }

    private void look() {
        reunions.readdress();
        unread.news(seen).forEach(mailCame);
    }

    @Override
    public void close() {
        if (listening != null) {
            listening.close();
        }
        task.close();
    }
}
