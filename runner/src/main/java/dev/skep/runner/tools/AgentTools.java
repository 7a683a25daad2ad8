package dev.skep.runner.tools;

import dev.skep.agents.Agent;
import dev.skep.kernel.error.SkepException;
import dev.skep.runner.command.AgentDirectory;
import dev.skep.runner.command.AgentMail;
import dev.skep.runner.command.CostCommand;
import dev.skep.shell.redact.Redactor;
import dev.skep.store.Database;
import dev.skep.transport.mcp.ToolDescription;
import dev.skep.transport.mcp.ToolResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** All tools that agents get from us. Thread-safe: all agents share them. */
public final class AgentTools {
    private final List<AgentTool> tools;
    private final Redactor redactor;

    /**
     * Calls nothing yet.
     *
     * @param operator the mailbox of the people at this machine
     */
    public AgentTools(
            AgentMail mail,
            AgentDirectory agents,
            CostCommand costs,
            Supplier<Agent> operator,
            Database database,
            Redactor redactor) {
        MailWait wait = new MailWait(database);
        this.tools =
                Stream.of(
                                new MailTools(mail, wait).all(),
                                new AskTools(mail, wait, agents, operator).all(),
                                new SessionTools(agents, costs).all())
                        .flatMap(List::stream)
                        .toList();
        this.redactor = redactor;
    }

    List<ToolDescription> offered() {
        return tools.stream().map(AgentTool::description).toList();
    }

    /** The result in MCP's form, without the secrets that are known here. */
    Map<String, Object> call(ToolDescription wanted, ToolCall call) {
        AgentTool tool =
                tools.stream()
                        .filter(each -> each.description().equals(wanted))
                        .findFirst()
                        .orElseThrow();
        Optional<String> held = call.caller().effects().held();
        if (held.isPresent()) {
            return ToolResult.of(held.get(), true);
        }
        try {
            wanted.checked(call.given());
            ToolAnswer answer = tool.action().run(call);
            return ToolResult.of(redactor.redact(answer.text()), answer.failed());
        } catch (SkepException refused) {
            return ToolResult.refused(refused);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ToolResult.of("given up: the runner is closing", true);
        }
    }
}
