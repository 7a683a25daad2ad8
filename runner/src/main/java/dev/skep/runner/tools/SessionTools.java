package dev.skep.runner.tools;

import static dev.skep.transport.mcp.ToolArgument.text;

import dev.skep.runner.command.AgentDirectory;
import dev.skep.runner.command.AgentList;
import dev.skep.runner.command.CostCommand;
import dev.skep.transport.mcp.ToolDescription;
import java.util.List;

/** Tools about the agent itself and those around it. */
final class SessionTools {
    private final AgentDirectory agents;
    private final CostCommand costs;

    SessionTools(AgentDirectory agents, CostCommand costs) {
        this.agents = agents;
        this.costs = costs;
    }

    List<AgentTool> all() {
        return List.of(
                new AgentTool(
                        new ToolDescription(
                                "agents_list",
                                "Lists the agents and people who can be mailed, and what each is doing.",
                                List.of(),
                                true),
                        call -> ToolAnswer.of(AgentList.of(agents, call.caller().agent()))),
                new AgentTool(
                        new ToolDescription(
                                "cost",
                                "Shows what you have spent and may still spend.",
                                List.of(),
                                true),
                        call -> ToolAnswer.of(costs.text(call.caller().principal()))),
                new AgentTool(
                        new ToolDescription(
                                "session_note",
                                "Leaves a note for the people who follow your work, such as what you found or decided.",
                                List.of(text("note", "One or a few sentences.")),
                                false),
                        SessionTools::note),
                new AgentTool(
                        new ToolDescription(
                                "session_complete",
                                "Says that all your work is done. Your session ends after this turn; new mail starts you again.",
                                List.of(text("note", "What came of it, in a sentence.").optional()),
                                false),
                        SessionTools::complete));
    }

    private static ToolAnswer note(ToolCall call) {
        call.caller().effects().noted(call.given().text("note"));
        return ToolAnswer.of("Noted.");
    }

    private static ToolAnswer complete(ToolCall call) {
        call.caller().effects().completed(call.given().optionalText("note").orElse(""));
        return ToolAnswer.of("The session is complete when this turn ends. End it now.");
    }
}
