package dev.skep.app.command;

import dev.skep.app.assembly.HostDatabases;
import dev.skep.app.assembly.SupervisorService;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.ProcessPart;
import dev.skep.cli.config.Setting;
import dev.skep.store.DatabaseUrl;
import dev.skep.supervisor.SupervisorModule.Monitored;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows a hub's or runner's database in a browser, from a process of its own. */
@Command(
        name = "supervisor",
        mixinStandardHelpOptions = true,
        description = "Shows a hub's or runner's database in a browser, from a process of its own.",
        footer = "%nIt only looks. To act, open the pages of the hub: 'skep hub --supervisor'.")
final class SupervisorCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags(EnumSet.of(ProcessPart.SUPERVISOR));

    @Option(
            names = "--monitor",
            paramLabel = "hub|runner",
            description = "Whose database it is (default: hub).")
    private Monitored monitored = Monitored.HUB;

    SupervisorCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        ProcessPart.refuseIdle(EnumSet.of(ProcessPart.SUPERVISOR), flags.given());
        Configuration configuration = context.configuration(flags);
        boolean given = flags.given().containsKey(Setting.DATABASE_URL);
        DatabaseUrl url =
                monitored == Monitored.HUB || given
                        ? configuration.database()
                        : HostDatabases.runnerDatabase(configuration);
        return ServiceCommand.run(
                context,
                lifecycle ->
                        new SupervisorService(configuration, lifecycle)
                                .start(url, monitored, context.home(), Program.version()));
    }
}
