package dev.skep.app.command;

import dev.skep.app.assembly.RunAssembly;
import dev.skep.app.config.Configuration;
import dev.skep.runner.terminal.Stream;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs this host's agents until it is told to stop. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Runs the agents of this machine and shows what they do.")
final class RunCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags();

    @Option(
            names = "--quiet",
            description = "For services: reads no input and tells only errors and what needs you.")
    private boolean quiet;

    RunCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        Configuration configuration = context.configuration(flags);
        boolean plain = !context.environment().getOrDefault("NO_COLOR", "").isEmpty();
        var stream = new Stream(context.out(), CommandContext.interactive() && !plain, quiet);
        Optional<BufferedReader> typed =
                quiet
                        ? Optional.empty()
                        : Optional.of(
                                new BufferedReader(
                                        new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        return Service.run(
                context,
                lifecycle -> new RunAssembly(configuration, lifecycle).open(stream, typed));
    }
}
