package dev.skep.app.docs;

import dev.skep.app.assembly.StoppedProcess;
import dev.skep.app.command.Skep;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.config.Setting;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Every command, its arguments and options, from the model the command line itself uses. */
final class CommandsPage {
    private static final Set<String> ON_EVERY_COMMAND = Set.of("--help", "--version");
    private static final String DATA_DIR = Setting.DATA_DIR.flag();
    private static final Set<String> SETTINGS =
            Arrays.stream(Setting.values())
                    .map(Setting::flag)
                    .filter(flag -> !flag.isEmpty())
                    .collect(Collectors.toSet());

    private final Markdown page;

    private CommandsPage(Markdown page) {
        this.page = page;
    }

    static String write(String earlier) {
        Markdown page = new Markdown(earlier);
        page.block("# Commands");
        page.block(
                """
                `skep COMMAND --help` shows the same in a terminal. Data goes to standard output, everything else to standard error; every list has
                `--json`; without a terminal, or with `NO_COLOR`, there are no colours. `-h`, `--help` and `-V`, `--version` work with every
                command. [Exit statuses and error codes](errors.md) are the same everywhere.""");
        new CommandsPage(page).all(commands());
        page.block("## From a source checkout");
        page.line(
                "`./skep bench NAME` ([benchmarks.md](../benchmarks.md)), `./skep simulate` and `./skep nemesis` ([protocol.md](../protocol.md#the-proof)) are built when they are first used.");
        return page.toString();
    }

    /** The model of all commands, of which none can be run. */
    static CommandLine commands() {
        Path nowhere = Path.of("nowhere");
        var nobody = new PrintWriter(Writer.nullWriter());
        return Skep.commands(
                new CommandContext(
                        Map.of(),
                        nowhere,
                        nowhere,
                        () -> Instant.EPOCH,
                        nobody,
                        nobody,
                        StoppedProcess::open,
                        new AtomicReference<>()));
    }

    private void all(CommandLine parent) {
        for (CommandLine command : parent.getSubcommands().values()) {
            CommandSpec spec = command.getCommandSpec();
            if (!spec.usageMessage().hidden()) {
                one(spec);
                all(command);
            }
        }
    }

    /** Those that do nothing for the command are read, refused and hidden. */
    private static String settings(CommandSpec spec) {
        List<String> idle =
                spec.options().stream()
                        .filter(OptionSpec::hidden)
                        .map(option -> "`" + option.longestName() + "`")
                        .filter(name -> SETTINGS.contains(name.replace("`", "")))
                        .sorted()
                        .toList();
        String all = "Also the flags of all [settings](configuration.md)";
        return idle.isEmpty()
                ? all + "."
                : "%s, except those that have no effect on it: %s."
                        .formatted(all, String.join(", ", idle));
    }

    private void one(CommandSpec spec) {
        page.block("## " + spec.qualifiedName());
        page.block(String.join(" ", spec.usageMessage().description()));
        page.block("`" + synopsis(spec) + "`");
        // One flag may be a setting of services and something else to another command.
        boolean takesSettings = spec.optionsMap().keySet().containsAll(SETTINGS);
        Set<String> elsewhere = takesSettings ? SETTINGS : Set.of(DATA_DIR);
        List<OptionSpec> own =
                spec.options().stream()
                        .filter(option -> !option.hidden())
                        .filter(option -> !elsewhere.contains(option.longestName()))
                        .filter(option -> !ON_EVERY_COMMAND.contains(option.longestName()))
                        .toList();
        if (!own.isEmpty() || hasWords(spec.positionalParameters())) {
            page.head("argument", "");
            spec.positionalParameters()
                    .forEach(p -> page.row("`" + p.paramLabel() + "`", words(p.description())));
            own.forEach(option -> page.row(names(option), words(option.description())));
            page.line("");
        }
        if (takesSettings) {
            page.block(settings(spec));
        } else if (spec.optionsMap().containsKey(DATA_DIR)) {
            page.block("Also `" + DATA_DIR + "`; see [settings](configuration.md).");
        }
    }

    private static boolean hasWords(List<PositionalParamSpec> arguments) {
        return arguments.stream().anyMatch(argument -> argument.description().length > 0);
    }

    private static String synopsis(CommandSpec spec) {
        String options = spec.options().isEmpty() ? "" : " [OPTION]…";
        String commands = spec.subcommands().isEmpty() ? "" : " [COMMAND]";
        return spec.positionalParameters().stream()
                .map(p -> " " + argument(p))
                .collect(Collectors.joining("", spec.qualifiedName() + options, commands));
    }

    private static String argument(PositionalParamSpec argument) {
        String label = argument.paramLabel() + (argument.arity().isVariable() ? "…" : "");
        return argument.arity().min() == 0 ? "[" + label + "]" : label;
    }

    private static String names(OptionSpec option) {
        String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        return "`" + String.join("`, `", option.names()) + label + "`";
    }

    private static String words(String[] description) {
        return String.join(" ", description);
    }
}
