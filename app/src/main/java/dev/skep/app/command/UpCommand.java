package dev.skep.app.command;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.config.Configuration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the whole product on this machine until it is told to stop. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = "Runs a runner, a hub and the supervisor on this machine.")
final class UpCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags();

    UpCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        Configuration configuration = context.configuration(flags);
        return Service.run(context, lifecycle -> new Assembly(configuration, lifecycle).up());
    }
}
