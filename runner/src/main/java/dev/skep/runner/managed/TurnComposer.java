package dev.skep.runner.managed;

import dev.skep.agents.Agent;
import dev.skep.agents.mail.Mail;
import dev.skep.agents.mail.Mailbox;
import dev.skep.models.money.Dollars;
import dev.skep.models.money.SpendLimit;
import dev.skep.runner.command.AgentDirectory;
import dev.skep.runner.command.MailText;
import dev.skep.runner.loop.AgentDependencies;
import dev.skep.runner.loop.AgentPresence;
import dev.skep.runner.loop.LoopControls.Said;
import dev.skep.runner.loop.MailNotices;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects what an agent is to hear, and words its prompts. */
final class TurnComposer {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
    private static final int MOST_NAMED = 50;
    private static final int MOST_LATER = 20;
    private static final int LONGEST_REPEATED = 8_000;

    private final AgentDependencies agentDependencies;
    private final ManagedSetup setup;
    private final AgentDirectory agents;
    private final MailNotices mailNotices;
    private final List<String> later = new ArrayList<>();
    private @Nullable String goOn;
    private String goOnWake = "restart";
    private boolean first;
    private @Nullable TurnInput again;

    TurnComposer(
            AgentDependencies agentDependencies,
            ManagedSetup setup,
            AgentDirectory agents,
            AgentPresence presence) {
        this.agentDependencies = agentDependencies;
        this.setup = setup;
        this.agents = agents;
        this.mailNotices =
                new MailNotices(
                        agentDependencies.unread(),
                        Mailbox.open(setup.principal(), setup.agent().id()),
                        setup.controls(),
                        presence);
    }

    /** The next turn is the first of the session. */
    void first() {
        first = true;
    }

    /** The next turn begins by itself, for this reason; told to the agent. */
    void goOn(String wake, String why) {
        goOnWake = wake;
        goOn = why;
    }

    /** The turn was cut in which this was said; the runtime may not have kept it. */
    void wasCut(String prompt) {
        goOn(
                "restart",
                """
                Your last turn was cut before its end: what you were doing may or may not be done, so look \
                first. In case you do not have what it began with, here it is once more:
                %s"""
                        .formatted(quoted(TextTruncator.cut(prompt, LONGEST_REPEATED))));
    }

    private static String quoted(String text) {
        return text.lines().map(line -> "> " + line).collect(Collectors.joining("\n"));
    }

    /** This could not be said, and is said with the next turn. */
    void again(TurnInput brief) {
        again = brief;
    }

    /** Is told with the next prompt, whenever that is. May be called by anyone. */
    void tellLater(String text) {
        synchronized (later) {
            if (later.size() < MOST_LATER) {
                later.add(text);
            }
        }
    }

    /** As if nothing had been told yet. */
    void reset() {
        mailNotices.reset();
    }

    /** What there is to say; empty if there is nothing that a turn should begin for. */
    Optional<TurnInput> brief() {
        List<String> wake = new ArrayList<>();
        List<String> notices = new ArrayList<>();
        if (first) {
            wake.add("start");
        }
        if (goOn != null) {
            wake.add(goOnWake);
            notices.add(goOn);
        }
        List<Said> said = setup.controls().takeSaid();
        if (said.stream().anyMatch(Said::task)) {
            wake.add("task");
        }
        if (said.stream().anyMatch(each -> !each.task())) {
            wake.add("talk");
        }
        List<Mail> mail = mailNotices.fresh();
        if (!mail.isEmpty()) {
            wake.add("mail");
            notices.add(
                    "New mail (the tool mail_read shows one):\n"
                            + mail.stream()
                                    .map(each -> MailText.line(each, true))
                                    .collect(Collectors.joining("\n")));
        }
        if (wake.isEmpty() && again == null) {
            return Optional.empty();
        }
        first = false;
        goOn = null;
        synchronized (later) {
            notices.addAll(0, later);
            later.clear();
        }
        TurnInput now =
                new TurnInput(
                        List.copyOf(wake),
                        said.stream().map(TurnComposer::words).toList(),
                        List.copyOf(notices),
                        said.stream().anyMatch(Said::task));
        TurnInput before = again;
        again = null;
        return Optional.of(before == null ? now : before.and(now));
    }

    private static String words(Said said) {
        return (said.task() ? "A task for you: " : "A person says: ") + said.text();
    }

    /** The line with which each prompt begins, and what the agent is to hear. */
    String turn(TurnInput brief) {
        OptionalLong left = agentDependencies.budget().left(setup.agent().id());
        SpendLimit limit = setup.source().content().limit();
        String money =
                left.isEmpty()
                        ? ""
                        : " | %s left%s"
                                .formatted(
                                        new Dollars(left.getAsLong()),
                                        limit == null ? "" : " of " + limit);
        List<String> lines = new ArrayList<>();
        lines.add(
                "[%s UTC | %s%s]"
                        .formatted(
                                TIME.format(agentDependencies.clock().instant()),
                                setup.agent().fullAddress(),
                                money));
        lines.addAll(brief.notices());
        return String.join("\n", lines);
    }

    /** The agent's own prompt, as it is sent. */
    String instructions() {
        return setup.substitution().in(setup.source().content().prompt()).strip();
    }

    /** What an agent can do here, for the first prompt of a session of its runtime. */
    String here() {
        Agent agent = setup.agent();
        String lead = setup.source().lead();
        String others =
                agents.members().stream()
                        .map(AgentDirectory.Member::agent)
                        .filter(other -> !other.id().equals(agent.id()))
                        .limit(MOST_NAMED)
                        .map(TurnComposer::named)
                        .collect(Collectors.joining(", "));
        return """
        You are %s%s, an agent of Skep on the host %s%s. You work without anybody watching: nobody \
        answers questions at a terminal. The tools of the MCP server 'skep' are yours: mail_send, \
        mail_read and others for mail, agents_list, agent_ask, ask_person for a question to a \
        person, cost. New mail starts your next turn by itself, so end your turn rather than wait.\
        %s
        When all your work is done, call session_complete with what came of it."""
                .formatted(
                        agent.username(),
                        agent.title() == null ? "" : " (" + agent.title() + ")",
                        agent.hostName(),
                        lead == null ? "" : "; you work for " + lead,
                        others.isEmpty() ? "" : "\nYou can mail: " + others + ".");
    }

    private static String named(Agent agent) {
        return agent.title() == null
                ? agent.fullAddress()
                : "%s (%s)".formatted(agent.fullAddress(), TextTruncator.cut(agent.title(), 80));
    }
}
