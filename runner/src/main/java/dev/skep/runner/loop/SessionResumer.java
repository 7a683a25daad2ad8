package dev.skep.runner.loop;

import dev.skep.agents.session.LogEntry;
import dev.skep.models.CommandCall;
import dev.skep.models.ModelSettings;
import dev.skep.models.money.CountedPrompt;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.command.CommandResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where an agent starts: in the middle of the session it had, or with a new run. */
final class SessionResumer {
    /** What the loop begins with. */
    record ResumePoint(Conversation conversation, AgentLoopState phase) {}

    private final AgentDependencies agentDependencies;
    private final AgentSetup setup;

    SessionResumer(AgentDependencies agentDependencies, AgentSetup setup) {
        this.agentDependencies = agentDependencies;
        this.setup = setup;
    }

    /** The session to go on with, or a new one. */
    SessionRecorder sessionRecorder() {
        return SessionRecorder.resumed(
                agentDependencies, setup.agent(), setup.principal(), setup.model().card().name());
    }

    ResumePoint begin(SessionRecorder sessionRecorder) {
        List<LogEntry> log =
                agentDependencies.log().of(setup.principal(), sessionRecorder.session().key());
        return log.isEmpty() ? anew(sessionRecorder) : resume(sessionRecorder, log);
    }

    private ResumePoint anew(SessionRecorder sessionRecorder) {
        AgentFile file = setup.source().content();
        Conversation conversation = Conversation.empty(agentDependencies.images());
        List<LogEntryDraft> logEntryDrafts = new ArrayList<>();
        logEntryDrafts.add(LogEntryDraft.instructions(file.prompt()));
        for (String command : file.startCommands()) {
            logEntryDrafts.add(LogEntryDraft.startCommand(command));
        }
        sessionRecorder.write(logEntryDrafts, null, null).forEach(conversation::add);
        List<CommandCall> commands = conversation.unanswered();
        return new ResumePoint(
                conversation,
                commands.isEmpty()
                        ? new AgentLoopState.Prompting()
                        : new AgentLoopState.Starting(commands));
    }

    private ResumePoint resume(SessionRecorder sessionRecorder, List<LogEntry> log) {
        boolean reasons = setup.source().content().reasoning() != ModelSettings.Reasoning.OFF;
        Conversation conversation =
                Conversation.of(log, agentDependencies.images(), reasons, counted());
        List<CommandCall> open = conversation.unanswered();
        if (!open.isEmpty() && awaitsItsDecision(open.getFirst(), log)) {
            return new ResumePoint(conversation, new AgentLoopState.Acting(open));
        }
        for (CommandCall call : open) {
            String text = cutOff(call, call.equals(open.getFirst()));
            sessionRecorder
                    .write(LogEntryDraft.output(LogEntry.Source.RUNNER, text))
                    .forEach(conversation::add);
        }
        sessionRecorder.write(LogEntryDraft.notice("goes on after a restart of the runner"));
        return new ResumePoint(conversation, new AgentLoopState.Prompting());
    }

    private static String cutOff(CommandCall call, boolean underWay) {
        if (call.problem() != null) {
            return CommandResult.refused(call.problem()).text();
        }
        return underWay
                ? "[the runner stopped here; this command may or may not have run]"
                : "[not run: the runner stopped before it]";
    }

    /** What this model's provider counted before the runner stopped. */
    private @Nullable CountedPrompt counted() {
        return agentDependencies
                .countedPrompts()
                .of(setup.principal(), setup.agent().id())
                .filter(counted -> counted.model().equals(setup.model().card().name()))
                .orElse(null);
    }

    /**
     * Whether nothing was done yet about what was decided, or is to be: the decision is in the log
     * before its command begins, and people also decide while an agent does not run.
     */
    private boolean awaitsItsDecision(CommandCall call, List<LogEntry> log) {
        return agentDependencies.approvals().store().find(setup.principal(), call.id()).isPresent()
                && log.stream()
                        .filter(entry -> entry.type() == LogEntry.Type.DECISION)
                        .noneMatch(
                                entry -> {
                                    String detail = entry.detail();
                                    return detail != null && detail.contains(call.id());
                                });
    }
}
