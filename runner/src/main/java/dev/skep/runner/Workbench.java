package dev.skep.runner;

import dev.skep.runner.approval.Approvals;
import dev.skep.runner.command.AgentCommand;
import dev.skep.runner.command.BuiltIns;
import dev.skep.runner.command.CostCommand;
import dev.skep.runner.command.MailCommand;
import dev.skep.runner.command.SessionCommand;
import dev.skep.runner.command.ShellCommand;
import dev.skep.runner.loop.Tools;
import dev.skep.runner.mail.UnreadMail;
import dev.skep.runner.money.Budget;
import dev.skep.runner.money.CountedPromptStore;
import dev.skep.runner.money.OpenCallStore;
import dev.skep.runner.redact.Redactor;
import java.util.List;

/** What the agents of a runner work with. */
final class Workbench {
    private Workbench() {}

    static Tools tools(
            Runner runner,
            Runner.Parts parts,
            Stores stores,
            UnreadMail unread,
            Redactor redactor,
            Budget budget,
            OpenCallStore openCalls,
            Approvals approvals) {
        BuiltIns builtIns =
                new BuiltIns(
                        List.of(
                                new MailCommand(
                                        stores.mail(), stores.mailboxes(), unread, redactor),
                                new SessionCommand(),
                                new AgentCommand(new Colleagues(runner, stores)),
                                new ShellCommand(),
                                new CostCommand(stores.costs(), budget)));
        return new Tools(
                parts.database(),
                stores.log(),
                stores.sessions(),
                stores.costs(),
                stores.notifications(),
                unread,
                budget,
                openCalls,
                new CountedPromptStore(parts.database()),
                approvals,
                builtIns,
                redactor,
                parts.ids(),
                parts.clock(),
                parts.random(),
                parts.watcher());
    }
}
