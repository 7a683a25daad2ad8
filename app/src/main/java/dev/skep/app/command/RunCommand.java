package dev.skep.app.command;

import dev.skep.app.assembly.Composition;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.ProcessPart;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the agents of this machine until it is stopped. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Runs the agents of this machine and shows what they do.")
final class RunCommand implements Callable<Integer> {
    private final CommandContext context;

    @Mixin
    private SettingFlags flags = new SettingFlags(EnumSet.of(ProcessPart.RUNNER, ProcessPart.HUB));

    @Mixin private TerminalFlags terminal = new TerminalFlags();

    @Option(names = "--hub", description = "Also run a hub, which other machines can join.")
    private boolean hub;

    @Option(names = "--supervisor", description = "Also serve the pages for a browser.")
    private boolean supervisor;

    RunCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        return ServiceCommand.run(
                context, flags.given(), Composition.run(hub, supervisor), terminal.open(context));
    }
}
