package dev.skep.runner.loop;

import dev.skep.agents.AgentStatus;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.approval.Approval;
import dev.skep.runner.approval.Protection;
import dev.skep.runner.command.Answer;
import dev.skep.runner.command.Caller;
import dev.skep.runner.command.ShellText;
import dev.skep.runner.model.CommandCall;
import dev.skep.runner.shell.Shell;
import dev.skep.runner.shell.ShellOutcome;
import java.time.Instant;
import java.util.Optional;

/** Does what a reply says, one command at a time: built in, or in the agent's shell if it may. */
final class Hands {
    private final Tools tools;
    private final AgentSetup setup;
    private final AgentFile file;
    private final Protection protection;
    private final Presence presence;
    private final Shell shell;
    private final Caller caller;

    Hands(Tools tools, AgentSetup setup, Presence presence) {
        this.tools = tools;
        this.setup = setup;
        this.file = setup.source().content();
        this.protection = file.protectionRules();
        this.presence = presence;
        this.shell = new InterruptibleShell(setup.shell(), setup.controls());
        this.caller = new Caller(setup.principal(), setup.agent(), shell, file.commandTimeout());
    }

    /** Runs a command a model asked for. */
    Answer run(CommandCall call) throws InterruptedException {
        Optional<Answer> builtIn = tools.builtIns().run(caller, call.command());
        if (builtIn.isPresent()) {
            return builtIn.get();
        }
        return switch (protection.judge(call.command())) {
            case Protection.Verdict.Refuse(var rule) ->
                    Answer.refused("denied: commands like '%s' never run here".formatted(rule));
            case Protection.Verdict.Run() -> inShell(call.command());
            case Protection.Verdict.Ask() -> onceApproved(call);
        };
    }

    /** Runs a command of the agent's own file, which needs nobody's yes. */
    Answer runTrusted(String command) throws InterruptedException {
        Optional<Answer> builtIn = tools.builtIns().run(caller, command);
        return builtIn.isPresent() ? builtIn.get() : inShell(command);
    }

    private Answer inShell(String command) throws InterruptedException {
        if (shell.busy()) {
            return Answer.refused(
                    "the command before is still running; 'shell wait', 'shell type \"TEXT\"' or 'shell kill' first");
        }
        ShellOutcome outcome = shell.run(command, file.commandTimeout());
        return Answer.of(ShellText.of(outcome));
    }

    private Answer onceApproved(CommandCall call) throws InterruptedException {
        Instant now = tools.clock().instant();
        Approval wanted =
                new Approval(
                        call.id(),
                        setup.agent().id(),
                        call.command(),
                        now,
                        now.plus(file.approvalTimeout()),
                        Approval.Decision.PENDING,
                        null);
        Approval requested = tools.approvals().request(setup.principal(), wanted);
        presence.tell(AgentStatus.AWAITING_APPROVAL, call.command(), call.id());
        setup.controls()
                .interruptibly(
                        () -> {
                            tools.approvals().await(requested);
                            return requested;
                        });
        Approval decided = tools.approvals().conclude(setup.principal(), requested);
        presence.tell(AgentStatus.ACTIVE, "", call.id());
        return decided.decision() == Approval.Decision.APPROVED
                ? inShell(call.command())
                : Answer.refused(
                        "denied"
                                + ("timeout".equals(decided.decidedBy())
                                        ? ": nobody approved it in time"
                                        : " by a person"));
    }
}
