package dev.skep.app.command;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.config.Configuration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs a hub on this machine, which joins runners. */
@Command(
        name = "hub",
        mixinStandardHelpOptions = true,
        description = "Runs a hub on this machine, which joins runners.")
final class HubCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags();

    HubCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        Configuration configuration = context.configuration(flags);
        return Service.run(context, lifecycle -> new Assembly(configuration, lifecycle).hub());
    }
}
