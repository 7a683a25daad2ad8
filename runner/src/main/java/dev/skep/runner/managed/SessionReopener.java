package dev.skep.runner.managed;

import dev.skep.agents.session.LogEntry;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.approval.Approval;
import dev.skep.runner.loop.AgentDependencies;
import dev.skep.runner.loop.LogEntryDraft;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Brings a session's log in order after the runner stopped, and tells the agent what was cut. */
final class SessionReopener {
    private final AgentDependencies agentDependencies;
    private final ManagedSetup setup;
    private final ManagedLog log;
    private final TurnComposer composer;

    SessionReopener(
            AgentDependencies agentDependencies,
            ManagedSetup setup,
            ManagedLog log,
            TurnComposer composer) {
        this.agentDependencies = agentDependencies;
        this.setup = setup;
        this.log = log;
        this.composer = composer;
    }

    void reopen() {
        List<LogEntry> lines = agentDependencies.log().of(setup.principal(), log.session().key());
        withdrawApprovals();
        SessionHistory story = new SessionHistory(lines);
        if (lines.isEmpty()) {
            begin();
        } else {
            settle(story);
        }
        if (!story.hasPrompt()) {
            composer.first();
            return;
        }
        @Nullable String cut = story.cut();
        if (cut != null) {
            composer.wasCut(cut);
        }
    }

    private void begin() {
        AgentFile file = setup.source().content();
        log.write(LogEntryDraft.instructions(file.prompt()));
        if (setup.launch().asking() && !setup.runtime().asks()) {
            log.write(
                    LogEntryDraft.notice(
                            "%s cannot ask for permission, so protection: manual does not hold here: what it does is seen only afterwards"
                                    .formatted(setup.runtime().name())));
        }
        if (!file.startCommands().isEmpty()) {
            log.write(
                    LogEntryDraft.notice(
                            "start_commands are for agents of the runtime skep; they were not run"));
        }
    }

    private void settle(SessionHistory story) {
        List<LogEntryDraft> drafts = new ArrayList<>(story.unknownResults());
        if (story.openPrompt() != null) {
            drafts.add(TurnEnd.draft("interrupted", "the runner stopped", null));
        }
        drafts.add(LogEntryDraft.notice("goes on after a restart of the runner"));
        log.write(drafts.toArray(LogEntryDraft[]::new));
    }

    /** The process that asked is gone, and its requests with it. */
    private void withdrawApprovals() {
        for (Approval approval : agentDependencies.approvals().store().pending(setup.principal())) {
            if (approval.agent().equals(setup.agent().id())) {
                log.write(
                        LogEntryDraft.decision(
                                agentDependencies
                                        .approvals()
                                        .withdraw(
                                                setup.principal(),
                                                approval,
                                                "the runner stopped")));
            }
        }
    }
}
