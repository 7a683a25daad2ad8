package dev.skep.runner.mail;

import dev.skep.agents.mail.Mail;
import dev.skep.agents.mail.MailReader;
import dev.skep.agents.mail.Mailbox;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The unread mail of a host's agents, as far as it is known. A database that is older than what its
 * hubs know has lost that mail was read; until they have returned that, such mail is not announced.
 * Thread-safe.
 */
public final class UnreadMail {
    /** Which mail counts as unread when it has no read mark. */
    public enum Known {
        ALL,
        /** What came from other hosts may have been read before. */
        FROM_HERE,
        NONE
    }

    /** Provides what is known, and keeps it constant during a reading. */
    @FunctionalInterface
    public interface Knowledge {
        <T> T during(Function<Known, T> reading);
    }

    private final MailReader reader;
    private final HostId host;
    private final Knowledge knowledge;

    /** Agents that read while not all mail was known, and must be notified of what was withheld. */
    private final Set<AgentId> withheld = new HashSet<>();

    /** Agents to be notified again of their unread mail. */
    private final Set<AgentId> again = new HashSet<>();

    public UnreadMail(MailReader reader, HostId host, Knowledge knowledge) {
        this.reader = reader;
        this.host = host;
        this.knowledge = knowledge;
    }

    /** What is unread in a mailbox, the oldest first. */
    public List<Mail> in(Mailbox mailbox, int limit) {
        return knowledge.during(
                known -> {
                    if (known != Known.ALL) {
                        withhold(mailbox.owner());
                    }
                    return switch (known) {
                        case ALL -> reader.unread(mailbox, limit);
                        case FROM_HERE -> reader.unreadFrom(mailbox, host, limit);
                        case NONE -> List.of();
                    };
                });
    }

    /**
     * Brings up to date what is unread on this host; what cannot be known now stays as it was.
     *
     * @return those of which there is more than before, or newer mail
     */
    public Set<AgentId> news(Map<MailReader.Heap, MailReader.Unread> before) {
        return knowledge.during(
                known ->
                        switch (known) {
                            case ALL -> news(before, reader.unreadOn(host), true);
                            case FROM_HERE -> news(before, reader.unreadOn(host), false);
                            case NONE -> Set.of();
                        });
    }

    private synchronized Set<AgentId> news(
            Map<MailReader.Heap, MailReader.Unread> before,
            Map<MailReader.Heap, MailReader.Unread> all,
            boolean fromElsewhere) {
        Map<MailReader.Heap, MailReader.Unread> now = new HashMap<>(all);
        now.keySet().removeIf(heap -> !heap.fromHere() && !fromElsewhere);
        before.keySet()
                .removeIf(
                        heap ->
                                (heap.fromHere() || fromElsewhere)
                                        && (!now.containsKey(heap)
                                                || isForgotten(heap, fromElsewhere)));
        again.clear();
        if (fromElsewhere) {
            withheld.clear();
        }
        Set<AgentId> news = new HashSet<>();
        now.forEach(
                (heap, unread) -> {
                    MailReader.Unread was = before.put(heap, unread);
                    if (was == null
                            || unread.count() > was.count()
                            || unread.newest().compareTo(was.newest()) > 0) {
                        news.add(heap.agent());
                    }
                });
        return news;
    }

    private boolean isForgotten(MailReader.Heap heap, boolean allKnown) {
        return again.contains(heap.agent()) || (allKnown && withheld.contains(heap.agent()));
    }

    private synchronized void withhold(AgentId agent) {
        withheld.add(agent);
    }

    /** The next notice to this agent names all its unread mail. */
    public synchronized void announceAgain(AgentId agent) {
        again.add(agent);
        withheld.add(agent);
    }
}
