package dev.skep.runner.tools;

import static dev.skep.transport.mcp.ToolArgument.longText;
import static dev.skep.transport.mcp.ToolArgument.text;

import dev.skep.agents.Agent;
import dev.skep.agents.mail.Mail;
import dev.skep.agents.mail.MailDraft;
import dev.skep.agents.mail.SendResult;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.command.AgentDirectory;
import dev.skep.runner.command.AgentMail;
import dev.skep.transport.mcp.ToolDescription;
import dev.skep.transport.route.JsonFields;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Questions to agents and to people, as tools. A question is a mail and its answer is one: mail
 * reaches every host, starts agents, stays when nobody is there, and has its pages and commands.
 */
final class AskTools {
    private static final int MOST_PEOPLE = 20;
    private static final int SUBJECT = 80;

    private final AgentMail mail;
    private final MailWait wait;
    private final AgentDirectory agents;
    private final Supplier<Agent> operator;

    /**
     * Asks nothing yet.
     *
     * @param operator the mailbox of the people at this machine
     */
    AskTools(AgentMail mail, MailWait wait, AgentDirectory agents, Supplier<Agent> operator) {
        this.mail = mail;
        this.wait = wait;
        this.agents = agents;
        this.operator = operator;
    }

    List<AgentTool> all() {
        return List.of(
                new AgentTool(
                        new ToolDescription(
                                "agent_ask",
                                "Asks another agent by mail and waits for its answer. If none comes in time you are told by mail when it does.",
                                List.of(
                                        text("agent", "Its name; agents_list shows them."),
                                        longText(
                                                "question",
                                                MailTools.LONGEST_BODY,
                                                "What you want to know or have done."),
                                        MailTools.wait("Wait at most so long.")),
                                false),
                        this::askAgent),
                new AgentTool(
                        new ToolDescription(
                                "ask_person",
                                "Asks the people you work for by mail, for a decision or for something only they know, and waits for an answer. If none comes in time you are told by mail when it does.",
                                List.of(
                                        longText(
                                                "question",
                                                MailTools.LONGEST_BODY,
                                                "The question, with all that is needed to answer it."),
                                        MailTools.wait("Wait at most so long.")),
                                false),
                        this::askPerson));
    }

    private ToolAnswer askAgent(ToolCall call) throws InterruptedException {
        String name = call.given().text("agent").strip();
        Agent self = call.caller().agent();
        if (name.equals(self.username()) || name.equals(self.fullAddress())) {
            return ToolAnswer.failed("That is you. agents_list shows the others.");
        }
        return ask(call, List.of(name), Set.of());
    }

    private ToolAnswer askPerson(ToolCall call) throws InterruptedException {
        Set<AgentId> people = new HashSet<>();
        List<String> addresses = new ArrayList<>();
        Agent here = operator.get();
        people.add(here.id());
        addresses.add(here.fullAddress());
        for (AgentDirectory.Member member : agents.members()) {
            if (member.agent().kind() == Agent.Kind.OPERATOR
                    && addresses.size() < MOST_PEOPLE
                    && people.add(member.agent().id())) {
                addresses.add(member.agent().fullAddress());
            }
        }
        return ask(call, addresses, people);
    }

    /** An answer is what came from one of those asked, or from any of these, since the question. */
    private ToolAnswer ask(ToolCall call, List<String> addresses, Set<AgentId> others)
            throws InterruptedException {
        Principal.Agent who = call.caller().principal();
        JsonFields given = call.given();
        String question = given.longText("question", MailTools.LONGEST_BODY);
        Set<String> before = ids(mail.unread(who));
        switch (mail.send(who, MailDraft.to(who.id(), addresses, subject(question), question))) {
            case SendResult.Refused(var problems) -> {
                return MailTools.notSent(problems);
            }
            case SendResult.Sent(var id, var recipients) -> {
                Set<AgentId> asked = new HashSet<>(recipients);
                asked.addAll(others);
                Optional<Mail> answer =
                        wait.until(
                                call,
                                () ->
                                        mail.unread(who).stream()
                                                .filter(each -> !before.contains(each.id()))
                                                .filter(each -> isAnswer(each, id, asked))
                                                .findFirst());
                return answer.flatMap(found -> mail.read(who, found.id()))
                        .map(AskTools::said)
                        .orElseGet(
                                () ->
                                        ToolAnswer.of(
                                                "Nobody answered yet. You will be told by mail; it answers %s. Go on with something else, or end your turn."
                                                        .formatted(id)));
            }
        }
    }

    private static boolean isAnswer(Mail mail, String question, Set<AgentId> asked) {
        return question.equals(mail.replyTo())
                || (mail.replyTo() == null && asked.contains(mail.from()));
    }

    private static ToolAnswer said(Mail mail) {
        return ToolAnswer.of("%s answers:\n\n%s".formatted(mail.fromName(), mail.body()));
    }

    private static Set<String> ids(List<Mail> mails) {
        return mails.stream().map(Mail::id).collect(Collectors.toSet());
    }

    private static String subject(String question) {
        String line = "Question: " + question.strip().lines().findFirst().orElse("").strip();
        return line.length() <= SUBJECT ? line : line.substring(0, SUBJECT - 3) + "...";
    }
}
