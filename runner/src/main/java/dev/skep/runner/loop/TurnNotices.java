package dev.skep.runner.loop;

import dev.skep.agents.mail.Mail;
import dev.skep.agents.mail.Mailbox;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Notices for an agent at the beginning of its next turn, besides what it asked for. */
final class TurnNotices {
    private static final int ANNOUNCED = 5;

    /** Whoever leaves more than this unread is past being told of each. */
    private static final int MOST_KNOWN = 500;

    private final AgentDependencies agentDependencies;
    private final AgentSetup setup;
    private final AgentPresence presence;
    private final Mailbox mailbox;
    private final Set<String> announced = new HashSet<>();
    private final List<String> waiting = new ArrayList<>();

    TurnNotices(AgentDependencies agentDependencies, AgentSetup setup, AgentPresence presence) {
        this.agentDependencies = agentDependencies;
        this.setup = setup;
        this.presence = presence;
        this.mailbox = Mailbox.open(setup.principal(), setup.agent().id());
    }

    void add(String text) {
        waiting.add(text);
    }

    /** The prompt of a turn that begins now; what it tells does not wait any more. */
    String prompt(Instant now, long tokens) {
        lookForMail();
        waiting.addFirst(
                TurnPrompt.turn(
                        now,
                        setup.agent().fullAddress(),
                        setup.shell().cwd(),
                        tokens,
                        setup.source().content(),
                        agentDependencies.budget().left(setup.agent().id())));
        String prompt = String.join("\n", waiting);
        waiting.clear();
        return prompt;
    }

    private void lookForMail() {
        if (!setup.controls().takeMail()) {
            return;
        }
        // Behind those it knows of and has not read: they are older, and must not hide new ones.
        List<Mail> unread =
                agentDependencies
                        .unread()
                        .in(mailbox, Math.min(announced.size(), MOST_KNOWN) + ANNOUNCED);
        announced.retainAll(unread.stream().map(Mail::id).collect(Collectors.toSet()));
        List<Mail> fresh =
                unread.stream()
                        .filter(mail -> !announced.contains(mail.id()))
                        .limit(ANNOUNCED)
                        .toList();
        fresh.forEach(mail -> announced.add(mail.id()));
        if (!fresh.isEmpty()) {
            waiting.add(TurnPrompt.mail(fresh));
            presence.mailed(fresh.getLast().id());
        }
    }

    /** As if nothing had been told yet. */
    void reset() {
        announced.clear();
        waiting.clear();
        setup.controls().mailArrived();
    }
}
