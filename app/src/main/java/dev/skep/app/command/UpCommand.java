package dev.skep.app.command;

import dev.skep.app.assembly.Composition;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.ProcessPart;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the whole product on this machine until it is stopped. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = "Runs agents, a hub and the supervisor: 'run --hub --supervisor'.")
final class UpCommand implements Callable<Integer> {
    private final CommandContext context;

    @Mixin
    private SettingFlags flags = new SettingFlags(EnumSet.of(ProcessPart.RUNNER, ProcessPart.HUB));

    @Mixin private TerminalFlags terminal = new TerminalFlags();

    UpCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        return ServiceCommand.run(context, flags.given(), Composition.UP, terminal.open(context));
    }
}
