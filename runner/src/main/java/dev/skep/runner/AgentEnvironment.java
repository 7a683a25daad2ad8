package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.models.money.Budget;
import dev.skep.models.money.CountedPromptStore;
import dev.skep.models.money.OpenCallStore;
import dev.skep.runner.approval.ApprovalService;
import dev.skep.runner.command.AgentCommand;
import dev.skep.runner.command.AgentMail;
import dev.skep.runner.command.AgentMailCommand;
import dev.skep.runner.command.BuiltInCommands;
import dev.skep.runner.command.CostCommand;
import dev.skep.runner.command.EditCommand;
import dev.skep.runner.command.SessionCommand;
import dev.skep.runner.command.ShellCommand;
import dev.skep.runner.command.ToolCommand;
import dev.skep.runner.command.ViewCommand;
import dev.skep.runner.files.ImageStore;
import dev.skep.runner.loop.AgentDependencies;
import dev.skep.runner.mail.UnreadMail;
import dev.skep.runner.tools.AgentTools;
import dev.skep.shell.redact.Redactor;
import java.util.List;
import java.util.function.Supplier;

/** What the agents of a runner work with. */
final class AgentEnvironment {
    private AgentEnvironment() {}

    static AgentDependencies tools(
            Runner runner,
            Runner.Parts parts,
            RunnerStores stores,
            UnreadMail unread,
            Redactor redactor,
            Budget budget,
            OpenCallStore openCalls,
            ApprovalService approvalService,
            ImageStore images) {
        BuiltInCommands builtInCommands =
                new BuiltInCommands(
                        List.of(
                                new AgentMailCommand(
                                        new AgentMail(
                                                stores.mail(),
                                                stores.mailboxes(),
                                                unread,
                                                redactor)),
                                new SessionCommand(),
                                new AgentCommand(new RunnerAgentDirectory(runner, stores)),
                                new ShellCommand(),
                                new EditCommand(redactor),
                                new ViewCommand(images),
                                new ToolCommand(),
                                new CostCommand(stores.costs(), budget)));
        return new AgentDependencies(
                parts.database(),
                stores.log(),
                stores.sessions(),
                stores.costs(),
                stores.notifications(),
                unread,
                budget,
                openCalls,
                new CountedPromptStore(parts.database()),
                approvalService,
                builtInCommands,
                images,
                redactor,
                parts.ids(),
                parts.clock(),
                parts.random(),
                parts.watcher());
    }

    /** What the agents whose runtime is another program can call. */
    static AgentTools toolsForRuntimes(
            Runner runner,
            Runner.Parts parts,
            RunnerStores stores,
            UnreadMail unread,
            Redactor redactor,
            Budget budget,
            Supplier<Agent> operator) {
        return new AgentTools(
                new AgentMail(stores.mail(), stores.mailboxes(), unread, redactor),
                new RunnerAgentDirectory(runner, stores),
                new CostCommand(stores.costs(), budget),
                operator,
                parts.database(),
                redactor);
    }
}
