package dev.skep.runner.command;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code session}: what an agent can do about its own running. */
public final class SessionCommand implements BuiltInCommand {
    @Override
    public String name() {
        return "session";
    }

    @Override
    public String summary() {
        return "your session: wait, compact, complete";
    }

    @Override
    public String usage() {
        return """
          session wait [SECONDS]       do nothing until mail, a person or the time wakes you
          session compact              go on with a summary of the conversation so far
          session complete ["NOTE"]    your work is done; mail starts you again""";
    }

    @Override
    public CommandResult run(Caller caller, List<String> words, @Nullable String input) {
        List<String> rest = words.isEmpty() ? List.of() : words.subList(1, words.size());
        return switch (words.isEmpty() ? "" : words.getFirst()) {
            case "wait" -> WaitArguments.answer(this, rest, false);
            case "compact" ->
                    new CommandResult("The session will be summarised.", new LoopEffect.Compact());
            case "complete" ->
                    new CommandResult(
                            "Session complete.", new LoopEffect.Complete(String.join(" ", rest)));
            case "" -> BuiltInCommands.usageError(this, "say what to do");
            default ->
                    BuiltInCommands.usageError(
                            this, "there is no '%s'".formatted(words.getFirst()));
        };
    }
}
