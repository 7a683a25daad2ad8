package dev.skep.runner.command;

import dev.skep.runner.approval.ApprovalDetail;
import dev.skep.runner.mcp.ToolCommandLine;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code tool}: the tools of the MCP servers that the agent's file names. */
public final class ToolCommand implements BuiltInCommand {
    @Override
    public String name() {
        return ToolCommandLine.WORD;
    }

    @Override
    public String summary() {
        return "tools of your MCP servers: list, or SERVER.NAME {arguments}";
    }

    @Override
    public String usage() {
        return """
          tool list                      your tools, each with its arguments
          tool SERVER.NAME {"a": "b"}    call one; its arguments are one JSON object""";
    }

    @Override
    public boolean takesWholeLine() {
        return true;
    }

    @Override
    public Optional<GuardedAction> guarded(String rest) {
        return ToolCommandLine.of(rest)
                .map(
                        line ->
                                new GuardedAction(
                                        line.called(),
                                        new ApprovalDetail(
                                                line.called(),
                                                "other",
                                                null,
                                                List.of(),
                                                List.of())));
    }

    @Override
    public CommandResult run(Caller caller, List<String> words, @Nullable String input)
            throws InterruptedException {
        String rest = words.getFirst();
        if (rest.isEmpty() || rest.equals("list")) {
            return CommandResult.of(caller.servers().describe());
        }
        Optional<ToolCommandLine> line = ToolCommandLine.of(rest);
        return line.isEmpty()
                ? BuiltInCommands.usageError(this, "name a tool, then one JSON object")
                : CommandResult.of(caller.servers().call(line.get()));
    }
}
