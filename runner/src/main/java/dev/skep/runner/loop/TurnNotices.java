package dev.skep.runner.loop;

import dev.skep.agents.mail.Mail;
import dev.skep.agents.mail.Mailbox;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Notices for an agent at the beginning of its next turn, besides what it asked for. */
final class TurnNotices {
    private final AgentDependencies agentDependencies;
    private final AgentSetup setup;
    private final MailNotices mailNotices;
    private final List<String> waiting = new ArrayList<>();

    TurnNotices(AgentDependencies agentDependencies, AgentSetup setup, AgentPresence presence) {
        this.agentDependencies = agentDependencies;
        this.setup = setup;
        this.mailNotices =
                new MailNotices(
                        agentDependencies.unread(),
                        Mailbox.open(setup.principal(), setup.agent().id()),
                        setup.controls(),
                        presence);
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
        List<Mail> fresh = mailNotices.fresh();
        if (!fresh.isEmpty()) {
            waiting.add(TurnPrompt.mail(fresh));
        }
    }

    /** As if nothing had been told yet. */
    void reset() {
        mailNotices.reset();
        waiting.clear();
    }
}
