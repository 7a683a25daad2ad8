package dev.skep.app.command;

import dev.skep.app.backup.Restore;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Configuration;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.transport.route.Json;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a data dir out of a backup. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = {
            "Creates the data dir, and the hub's database, from a backup.",
            "The file is verified before anything is touched. Never run the restored host beside the old one."
        })
final class RestoreCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags();

    @Parameters(paramLabel = "FILE", description = "A file that skep backup wrote.")
    private String file = "";

    @Option(
            names = "--force",
            description =
                    "Move a data dir that is not empty aside; replace a database on a server.")
    private boolean force;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    RestoreCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Configuration configuration = context.configuration(flags);
        Path backup = context.workingFolder().resolve(file);
        Restore.Summary summary =
                new Restore(configuration, context.clock())
                        .from(backup, force, line -> context.err().println(line));
        if (json) {
            context.out()
                    .println(
                            Json.text(
                                    Map.of(
                                            "dataDir", configuration.dataDir().toString(),
                                            "rows", summary.rows(),
                                            "files", summary.files(),
                                            "before",
                                                    summary.before()
                                                            .map(Path::toString)
                                                            .orElse(""))));
            return ExitStatus.OK.status();
        }
        context.out()
                .printf(
                        "%,d rows and %d files are in %s%n",
                        summary.rows(), summary.files(), configuration.dataDir());
        summary.before().ifPresent(path -> context.out().println("what was there is in " + path));
        return ExitStatus.OK.status();
    }
}
