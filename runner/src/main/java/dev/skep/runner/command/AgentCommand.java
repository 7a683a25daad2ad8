package dev.skep.runner.command;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code agent}: who is there, and for a lead its subordinates. */
public final class AgentCommand implements BuiltInCommand {
    private static final int LINES = 20;

    private final AgentDirectory agentDirectory;

    public AgentCommand(AgentDirectory agentDirectory) {
        this.agentDirectory = agentDirectory;
    }

    @Override
    public String name() {
        return "agent";
    }

    @Override
    public String summary() {
        return "who is there, and your subordinates: list, start, stop, peek";
    }

    @Override
    public String usage() {
        return """
          agent list                    everybody who can be mailed
          agent start NAME ["TASK"]     start a subordinate of yours
          agent stop NAME               stop a subordinate of yours
          agent peek NAME [LINES]       the end of a subordinate's log""";
    }

    @Override
    public CommandResult run(Caller caller, List<String> words, @Nullable String input) {
        String verb = words.isEmpty() ? "list" : words.getFirst();
        if (verb.equals("list")) {
            return CommandResult.of(AgentList.of(agentDirectory, caller.agent()));
        }
        if (!List.of("start", "stop", "peek").contains(verb)) {
            return BuiltInCommands.usageError(this, "there is no '%s'".formatted(verb));
        }
        if (words.size() < 2) {
            return BuiltInCommands.usageError(this, verb + " needs a name");
        }
        String name = words.get(1);
        return switch (verb) {
            case "start" ->
                    agentDirectory.start(
                            caller.agent(),
                            name,
                            input == null
                                    ? String.join(" ", words.subList(2, words.size()))
                                    : input);
            case "stop" -> agentDirectory.stop(caller.agent(), name);
            default -> peek(caller, words);
        };
    }

    private CommandResult peek(Caller caller, List<String> words) {
        Long lines = words.size() < 3 ? Long.valueOf(LINES) : WaitArguments.seconds(words.get(2));
        return lines == null
                ? BuiltInCommands.usageError(this, "peek takes a number of lines")
                : agentDirectory.peek(
                        caller.agent(), words.get(1), (int) Math.clamp(lines, 1L, 200L));
    }
}
