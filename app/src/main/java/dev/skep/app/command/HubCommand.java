package dev.skep.app.command;

import dev.skep.app.assembly.Composition;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.ProcessPart;
import dev.skep.runner.terminal.Terminal;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a hub on this machine, which connects runners. */
@Command(
        name = "hub",
        mixinStandardHelpOptions = true,
        description = "Runs a hub on this machine, which connects runners.")
final class HubCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags(EnumSet.of(ProcessPart.HUB));

    @Option(names = "--supervisor", description = "Also serve the pages of the fleet.")
    private boolean supervisor;

    HubCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        return ServiceCommand.run(
                context, flags.given(), Composition.hubOnly(supervisor), Terminal.none());
    }
}
