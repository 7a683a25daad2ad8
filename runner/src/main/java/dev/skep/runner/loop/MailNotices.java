package dev.skep.runner.loop;

import dev.skep.agents.mail.Mail;
import dev.skep.agents.mail.Mailbox;
import dev.skep.runner.mail.UnreadMail;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which unread mail an agent has not been told of in its session. Not thread-safe. */
public final class MailNotices {
    private static final int ANNOUNCED = 5;

    /** Whoever leaves more than this unread is past being told of each. */
    private static final int MOST_KNOWN = 500;

    private final UnreadMail unreadMail;
    private final Mailbox mailbox;
    private final LoopControls controls;
    private final AgentPresence presence;
    private final Set<String> announced = new HashSet<>();

    public MailNotices(
            UnreadMail unreadMail, Mailbox mailbox, LoopControls controls, AgentPresence presence) {
        this.unreadMail = unreadMail;
        this.mailbox = mailbox;
        this.controls = controls;
        this.presence = presence;
    }

    /** The oldest that it does not know of; it counts as told from now on. */
    public List<Mail> fresh() {
        if (!controls.takeMail()) {
            return List.of();
        }
        // Behind those it knows of and has not read: they are older, and must not hide new ones.
        List<Mail> unread =
                unreadMail.in(mailbox, Math.min(announced.size(), MOST_KNOWN) + ANNOUNCED + 1);
        announced.retainAll(unread.stream().map(Mail::id).collect(Collectors.toSet()));
        List<Mail> unknown =
                unread.stream().filter(mail -> !announced.contains(mail.id())).toList();
        List<Mail> fresh = unknown.subList(0, Math.min(unknown.size(), ANNOUNCED));
        if (unknown.size() > fresh.size()) {
            // The rest is for the next turn, whether or not more mail comes.
            controls.mailArrived();
        }
        fresh.forEach(mail -> announced.add(mail.id()));
        if (!fresh.isEmpty()) {
            presence.mailed(fresh.getLast().id());
        }
        return fresh;
    }

    /** As if nothing had been told yet. */
    public void reset() {
        announced.clear();
        controls.mailArrived();
    }
}
