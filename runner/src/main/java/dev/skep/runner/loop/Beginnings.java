package dev.skep.runner.loop;

import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.RunSession;
import dev.skep.agents.session.SessionKey;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.approval.Approval;
import dev.skep.runner.command.Answer;
import dev.skep.runner.model.CommandCall;
import dev.skep.runner.model.ModelSettings;
import dev.skep.runner.money.CountedPrompt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where an agent starts: in the middle of the session it had, or with a new run. */
final class Beginnings {
    /** What the loop begins with. */
    record Beginning(Conversation conversation, Phase phase) {}

    private final Tools tools;
    private final AgentSetup setup;

    Beginnings(Tools tools, AgentSetup setup) {
        this.tools = tools;
        this.setup = setup;
    }

    /** The session to go on with, or a new one. */
    Journal journal() {
        Optional<RunSession> before = tools.sessions().toResume(setup.agent().id());
        String model = setup.model().card().name();
        if (before.isPresent()) {
            return new Journal(
                    tools, setup.agent(), setup.principal(), before.get().withModel(model));
        }
        SessionKey key = new SessionKey(setup.agent().id(), tools.ids().next(), 1);
        return Journal.begin(
                tools,
                setup.agent(),
                setup.principal(),
                RunSession.begun(key, model, tools.clock().instant()));
    }

    Beginning begin(Journal journal) {
        List<LogEntry> log = tools.log().of(setup.principal(), journal.session().key());
        return log.isEmpty() ? anew(journal) : resume(journal, log);
    }

    private Beginning anew(Journal journal) {
        AgentFile file = setup.source().content();
        Conversation conversation = Conversation.empty();
        List<Line> lines = new ArrayList<>();
        lines.add(Line.instructions(file.prompt()));
        for (String command : file.startCommands()) {
            lines.add(Line.startCommand(command));
        }
        journal.write(lines, null, null).forEach(conversation::add);
        List<CommandCall> commands = conversation.unanswered();
        return new Beginning(
                conversation,
                commands.isEmpty() ? new Phase.Prompting() : new Phase.Starting(commands));
    }

    private Beginning resume(Journal journal, List<LogEntry> log) {
        boolean reasons = setup.source().content().reasoning() != ModelSettings.Reasoning.OFF;
        Conversation conversation = Conversation.of(log, reasons, counted());
        List<CommandCall> open = conversation.unanswered();
        if (!open.isEmpty() && waitsForApproval(open.getFirst())) {
            return new Beginning(conversation, new Phase.Acting(open));
        }
        for (CommandCall call : open) {
            String text = cutOff(call, call.equals(open.getFirst()));
            journal.write(Line.output(LogEntry.Source.RUNNER, text)).forEach(conversation::add);
        }
        journal.write(Line.notice("goes on after a restart of the runner"));
        return new Beginning(conversation, new Phase.Prompting());
    }

    private static String cutOff(CommandCall call, boolean underWay) {
        if (call.problem() != null) {
            return Answer.refused(call.problem()).text();
        }
        return underWay
                ? "[the runner stopped here; this command may or may not have run]"
                : "[not run: the runner stopped before it]";
    }

    /** What this model's provider counted before the runner stopped. */
    private @Nullable CountedPrompt counted() {
        return tools.countedPrompts()
                .of(setup.principal(), setup.agent().id())
                .filter(counted -> counted.model().equals(setup.model().card().name()))
                .orElse(null);
    }

    private boolean waitsForApproval(CommandCall call) {
        return tools.approvals()
                .store()
                .find(setup.principal(), call.id())
                .filter(approval -> approval.decision() == Approval.Decision.PENDING)
                .isPresent();
    }
}
