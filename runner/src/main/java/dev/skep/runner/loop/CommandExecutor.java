package dev.skep.runner.loop;

import dev.skep.agents.AgentStatus;
import dev.skep.agents.session.LogEntry.Source;
import dev.skep.models.CommandCall;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.approval.Approval;
import dev.skep.runner.approval.Protection;
import dev.skep.runner.command.Caller;
import dev.skep.runner.command.CommandResult;
import dev.skep.runner.command.GuardedAction;
import dev.skep.runner.command.ShellText;
import dev.skep.runner.files.AgentFiles;
import dev.skep.shell.Shell;
import dev.skep.shell.ShellOutcome;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Does what a reply says, one command at a time: built in, or in the agent's shell if it may. */
final class CommandExecutor {
    private final AgentDependencies agentDependencies;
    private final AgentSetup setup;
    private final AgentFile file;
    private final Protection protection;
    private final AgentPresence presence;
    private final Shell shell;
    private final Caller caller;
    private final Consumer<Approval> decisions;

    /**
     * Does nothing yet.
     *
     * @param decisions hears what was decided about commands, for the log
     */
    CommandExecutor(
            AgentDependencies agentDependencies,
            AgentSetup setup,
            AgentPresence presence,
            Consumer<Approval> decisions) {
        this.agentDependencies = agentDependencies;
        this.setup = setup;
        this.file = setup.source().content();
        this.protection = file.protectionRules();
        this.presence = presence;
        this.decisions = decisions;
        this.shell = new InterruptibleShell(setup.shell(), setup.controls());
        this.caller =
                new Caller(
                        setup.principal(),
                        setup.agent(),
                        setup.model().card(),
                        shell,
                        file.commandTimeout(),
                        new AgentFiles(
                                new InterruptibleShell(setup.files(), setup.controls()),
                                file.commandTimeout()),
                        new InterruptibleServers(setup.servers(), setup.controls()));
    }

    Protection protection() {
        return protection;
    }

    /**
     * The line of the log for a command that is not run yet: of a tool or an edit also what people
     * look at before they say yes.
     */
    LogEntryDraft draft(CommandCall call) {
        LogEntryDraft plain = LogEntryDraft.of(call);
        return call.problem() == null
                ? agentDependencies
                        .builtIns()
                        .guarded(call.command())
                        .map(deed -> plain.withDetail(deed.detail().json()))
                        .orElse(plain)
                : plain;
    }

    /** What answers a command. */
    Source source(CommandCall call) {
        if (call.problem() != null) {
            return Source.RUNNER;
        }
        return agentDependencies.builtIns().knows(call.command()) ? Source.COMMAND : Source.SHELL;
    }

    /** Runs a command a model asked for. */
    CommandResult run(CommandCall call) throws InterruptedException {
        if (call.problem() != null) {
            return CommandResult.refused(call.problem());
        }
        String line = call.command();
        Optional<GuardedAction> guarded = agentDependencies.builtIns().guarded(line);
        if (guarded.isEmpty() && agentDependencies.builtIns().knows(line)) {
            return perform(line);
        }
        return switch (verdict(guarded, line)) {
            case Protection.Verdict.Refuse(var rule) ->
                    CommandResult.refused(
                            "denied: commands like '%s' never run here".formatted(rule));
            case Protection.Verdict.Run() -> perform(line);
            case Protection.Verdict.Ask() -> onceApproved(call);
        };
    }

    /** A tool or an edit by its name or path; a rule for all of its line allows it too. */
    private Protection.Verdict verdict(Optional<GuardedAction> guarded, String line) {
        Protection.Verdict verdict =
                protection.evaluate(guarded.map(GuardedAction::rule).orElse(line));
        return verdict instanceof Protection.Verdict.Ask
                        && guarded.isPresent()
                        && protection.evaluate(line) instanceof Protection.Verdict.Run
                ? new Protection.Verdict.Run()
                : verdict;
    }

    /** Runs a command of the agent's own file, which needs nobody's yes. */
    CommandResult runTrusted(String command) throws InterruptedException {
        return perform(command);
    }

    private CommandResult perform(String command) throws InterruptedException {
        // What was approved meanwhile, or is ours to do, begins no earlier than anything else.
        setup.controls().awaitRelease();
        Optional<CommandResult> builtIn = agentDependencies.builtIns().run(caller, command);
        return builtIn.isPresent() ? builtIn.get() : inShell(command);
    }

    private CommandResult inShell(String command) throws InterruptedException {
        if (shell.busy()) {
            return CommandResult.refused(
                    "the command before is still running; 'shell wait', 'shell type \"TEXT\"' or 'shell kill' first");
        }
        ShellOutcome outcome = shell.run(command, file.commandTimeout());
        return CommandResult.of(ShellText.of(outcome));
    }

    private CommandResult onceApproved(CommandCall call) throws InterruptedException {
        Instant now = agentDependencies.clock().instant();
        Approval wanted =
                Approval.asked(
                        call.id(),
                        setup.agent().id(),
                        call.command(),
                        agentDependencies
                                .builtIns()
                                .guarded(call.command())
                                .map(deed -> deed.detail().json())
                                .orElse(null),
                        now,
                        agentDependencies.approvals().expiry(now, file.approvalTimeout()));
        Approval requested = agentDependencies.approvals().request(setup.principal(), wanted);
        if (!requested.isAbout(setup.agent().id(), call.command())) {
            return anotherCommand(requested);
        }
        presence.tell(AgentStatus.AWAITING_APPROVAL, call.command(), call.id());
        setup.controls()
                .interruptibly(
                        () -> {
                            agentDependencies.approvals().await(requested);
                            return requested;
                        });
        Approval decided = agentDependencies.approvals().conclude(setup.principal(), requested);
        // First the log: whoever is told that it waits no longer can read why.
        decisions.accept(decided);
        presence.tell(AgentStatus.ACTIVE, "", call.id());
        if (decided.line().approved()) {
            return perform(decided.command());
        }
        return CommandResult.refused(decided.refusal());
    }

    /**
     * The log was changed since the command was asked for, as by a hub's heal: the person who
     * decides would see one command and another would run.
     */
    private CommandResult anotherCommand(Approval requested) {
        decisions.accept(agentDependencies.approvals().conclude(setup.principal(), requested));
        return CommandResult.refused(
                "not run: this is not the command that waits for approval under its id; the log was changed");
    }
}
