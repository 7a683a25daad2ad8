package dev.skep.runner;

import dev.skep.agents.AgentTables;
import dev.skep.agents.ReunionStore;
import dev.skep.agents.mail.MailReader;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.runner.mail.UnreadMail;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hears that mail was stored, by an agent here or by synchronisation, and tells those it is for.
 * However many mails come at once, they are looked up together.
 */
final class MailWatch implements Component {
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final Events events;
    private final UnreadMail unread;
    private final Supplier<Duration> lookAgainIn;
    private final ReunionStore reunions;
    private final Consumer<AgentId> mailCame;
    private final Semaphore stored = new Semaphore(1);
    private final Map<MailReader.Heap, MailReader.Unread> seen = new HashMap<>();
    private Events.@Nullable Subscription subscription;
    private @Nullable Thread thread;
    private volatile boolean closed;

    MailWatch(
            Events events,
            UnreadMail unread,
            Supplier<Duration> lookAgainIn,
            ReunionStore reunions,
            Consumer<AgentId> mailCame) {
        this.events = events;
        this.unread = unread;
        this.lookAgainIn = lookAgainIn;
        this.reunions = reunions;
        this.mailCame = mailCame;
    }

    @Override
    public void start() {
        subscription = events.subscribe(this::heard);
        thread = Thread.ofVirtual().name("mail-watch").start(this::watch);
    }

    /** Whose mail it is, or what is known of it, may have changed. */
    void lookAgain() {
        stored.release();
    }

    private void heard(FleetEvent event) {
        if (event instanceof FleetEvent.RowsStored rows
                && rows.tables().contains(AgentTables.MAIL_RECIPIENTS.name())) {
            stored.release();
        }
    }

    private void watch() {
        try {
            while (true) {
                boolean unused =
                        stored.tryAcquire(lookAgainIn.get().toNanos(), TimeUnit.NANOSECONDS);
                stored.drainPermits();
                if (closed) {
                    return;
                }
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
        closed = true;
        // Not an interrupt: that would fail a look at the database instead of ending after it.
        stored.release();
        if (thread != null) {
            try {
                boolean unused = thread.join(CLOSING);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
