package dev.skep.app.command;

import dev.skep.app.backup.Backup;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Configuration;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts a data dir into one file. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = {
            "Writes databases, agents, settings and keys to one file, while everything runs.",
            "Keep the file as safe as the data dir: anyone who has it can act as this host."
        })
final class BackupCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private SettingFlags flags = new SettingFlags();

    @Parameters(paramLabel = "FILE", description = "Where to; - for standard output.")
    private String file = "";

    @Option(
            names = "--without-keys",
            description = "Omit .env and the key files; restore them by hand.")
    private boolean withoutKeys;

    @Option(names = "--force", description = "Replace an existing file.")
    private boolean force;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    BackupCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Configuration configuration = context.configuration(flags);
        var backup = new Backup(configuration, Program.version(), context.clock());
        if (file.equals("-")) {
            try (var progress = new TableProgress(context)) {
                backup.writeTo(System.out, !withoutKeys, progress::show);
                System.out.flush();
            } catch (IOException e) {
                throw AtomicFile.unwritable("standard output", e);
            }
            return ExitStatus.OK.status();
        }
        Path target = context.workingFolder().resolve(file);
        Backup.Summary summary =
                AtomicFile.at(target, force)
                        .write(
                                out -> {
                                    try (var progress = new TableProgress(context)) {
                                        return backup.writeTo(out, !withoutKeys, progress::show);
                                    }
                                });
        if (json) {
            context.out()
                    .println(
                            Json.text(
                                    Map.of(
                                            "file", target.toString(),
                                            "databases", summary.databases(),
                                            "rows", summary.rows(),
                                            "files", summary.files())));
        } else {
            context.out()
                    .printf(
                            "%,d rows of %s and %d files are in %s%n",
                            summary.rows(),
                            String.join(" and ", summary.databases()),
                            summary.files(),
                            target);
        }
        return ExitStatus.OK.status();
    }
}
