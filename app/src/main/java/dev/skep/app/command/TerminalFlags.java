package dev.skep.app.command;

import dev.skep.cli.command.CommandContext;
import dev.skep.runner.terminal.Terminal;
import dev.skep.runner.terminal.TerminalOutput;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How much of its agents a command shows. */
final class TerminalFlags {
    @Option(
            names = "--quiet",
            description = "For services: reads no input and prints only errors and what needs you.")
    private boolean quiet;

    Terminal open(CommandContext context) {
        return open(context, quiet);
    }

    static Terminal open(CommandContext context, boolean quiet) {
        boolean plain = !context.environment().getOrDefault("NO_COLOR", "").isEmpty();
        var terminalOutput =
                new TerminalOutput(context.out(), CommandContext.interactive() && !plain, quiet);
        return new Terminal(
                terminalOutput,
                quiet
                        ? Optional.empty()
                        : Optional.of(
                                new BufferedReader(
                                        new InputStreamReader(System.in, StandardCharsets.UTF_8))),
                CommandContext.interactive() && !quiet);
    }
}
