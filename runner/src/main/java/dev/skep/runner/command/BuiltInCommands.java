package dev.skep.runner.command;

import dev.skep.models.ModelCard;
import dev.skep.models.ToolOffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All built-in commands by name, and {@code help}, which describes them. Thread-safe. */
public final class BuiltInCommands {
    private final Map<String, BuiltInCommand> byName = new LinkedHashMap<>();

    public BuiltInCommands(List<BuiltInCommand> commands) {
        commands.forEach(command -> byName.put(command.name(), command));
        byName.put("help", new Help());
    }

    /** Runs the line if its first word is a built-in command; empty if it is for the shell. */
    public Optional<CommandResult> run(Caller caller, String line) throws InterruptedException {
        BuiltInCommand command = byName.get(CommandLineParser.first(line));
        if (command == null) {
            return Optional.empty();
        }
        if (command.takesWholeLine()) {
            return Optional.of(command.run(caller, List.of(rest(command, line)), null));
        }
        return Optional.of(
                switch (CommandLineParser.of(line)) {
                    case CommandLineParser.Refused(var problem) ->
                            CommandResult.refused("%s: %s".formatted(command.name(), problem));
                    case CommandLineParser.Plain(var words, var input) ->
                            command.run(caller, words.subList(1, words.size()), input);
                });
    }

    private static String rest(BuiltInCommand command, String line) {
        return line.strip().substring(command.name().length()).strip();
    }

    /** What protection looks at; empty if the line runs without, or is for the shell. */
    public Optional<GuardedAction> guarded(String line) {
        BuiltInCommand command = byName.get(CommandLineParser.first(line));
        return command == null ? Optional.empty() : command.guarded(rest(command, line));
    }

    /** What models that call tools are offered. */
    public List<ToolOffer> offers(ModelCard model) {
        return byName.values().stream()
                .filter(command -> command.suits(model))
                .flatMap(command -> command.offer().stream())
                .toList();
    }

    public boolean knows(String line) {
        return byName.containsKey(CommandLineParser.first(line));
    }

    /** The list of commands, as the system prompt and {@code help} show it. */
    public String overview(ModelCard model) {
        StringBuilder text = new StringBuilder();
        byName.values().stream()
                .filter(command -> command.suits(model))
                .forEach(c -> text.append("  %-8s %s%n".formatted(c.name(), c.summary())));
        return text.toString().stripTrailing();
    }

    /** The answer to a command with wrong arguments. */
    static CommandResult usageError(BuiltInCommand command, String problem) {
        return CommandResult.refused(
                "%s: %s\nusage:\n%s".formatted(command.name(), problem, command.usage()));
    }

    /** Describes the others. */
    private final class Help implements BuiltInCommand {
        @Override
        public String name() {
            return "help";
        }

        @Override
        public String summary() {
            return "this list, or 'help COMMAND' for one command";
        }

        @Override
        public String usage() {
            return "  help [COMMAND]";
        }

        @Override
        public CommandResult run(Caller caller, List<String> words, @Nullable String input) {
            if (words.isEmpty()) {
                return CommandResult.of(
                        "Built-in commands (everything else runs in bash):\n"
                                + overview(caller.model()));
            }
            BuiltInCommand command = byName.get(words.getFirst());
            return command == null
                    ? CommandResult.refused(
                            "help: there is no built-in command '%s'; try 'help'"
                                    .formatted(words.getFirst()))
                    : CommandResult.of(
                            "%s: %s\n%s"
                                    .formatted(command.name(), command.summary(), command.usage()));
        }
    }
}
