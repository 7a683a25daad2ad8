package dev.skep.runner.command;

import dev.skep.shell.Shell;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code shell}: what to do about a command that is still running. */
public final class ShellCommand implements BuiltInCommand {
    @Override
    public String name() {
        return "shell";
    }

    @Override
    public String summary() {
        return "a command that is still running: wait, type, kill";
    }

    @Override
    public String usage() {
        return """
          shell wait [SECONDS]    wait again
          shell type "TEXT"       type a line into it
          shell kill              end it""";
    }

    @Override
    public CommandResult run(Caller caller, List<String> words, @Nullable String input)
            throws InterruptedException {
        Shell shell = caller.shell();
        String verb = words.isEmpty() ? "" : words.getFirst();
        if (List.of("wait", "type", "kill").contains(verb) && !shell.busy()) {
            return CommandResult.of("No command is running.");
        }
        return switch (verb) {
            case "wait" -> await(caller, words.subList(1, words.size()));
            case "type" ->
                    CommandResult.of(
                            ShellText.of(
                                    shell.type(
                                            String.join(" ", words.subList(1, words.size())),
                                            caller.commandTimeout())));
            case "kill" -> CommandResult.of(ShellText.of(shell.kill()));
            default -> BuiltInCommands.usageError(this, "say wait, type or kill");
        };
    }

    private CommandResult await(Caller caller, List<String> words) throws InterruptedException {
        Long seconds = words.isEmpty() ? null : WaitArguments.seconds(words.getFirst());
        if (!words.isEmpty() && seconds == null) {
            return BuiltInCommands.usageError(this, "wait takes a number of seconds");
        }
        Duration limit = seconds == null ? caller.commandTimeout() : Duration.ofSeconds(seconds);
        return CommandResult.of(ShellText.of(caller.shell().await(limit)));
    }
}
