package dev.skep.app.command;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.config.Configuration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs a runner on this machine; it joins the hubs it is given. */
@Command(name = "run", mixinStandardHelpOptions = true, description = "Runs a runner on this machine; it joins the hubs it is given.")
final class RunCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags();

    RunCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        Configuration configuration = context.configuration(flags);
        return Service.run(context, lifecycle -> new Assembly(configuration, lifecycle).run());
    }
}
