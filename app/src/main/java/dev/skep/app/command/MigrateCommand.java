package dev.skep.app.command;

import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.DatabaseFlags;
import dev.skep.cli.config.Configuration;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.copy.DatabaseCopy;
import dev.skep.store.engine.Databases;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Moves a hub from SQLite to PostgreSQL. */
@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        description = {
            "Copies the hub's SQLite database to PostgreSQL and checks every row.",
            "The hub must be stopped. After an interruption it continues where it stopped."
        })
final class MigrateCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private DatabaseFlags flags = new DatabaseFlags();

    @Option(
            names = "--to",
            required = true,
            paramLabel = "URL",
            description = "postgresql://user:password@host:5432/database")
    private String to = "";

    MigrateCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Configuration configuration = context.configuration(flags);
        DatabaseUrl from = configuration.database();
        DatabaseUrl target = DatabaseUrl.parse(to, configuration.dataDir());
        if (!(from instanceof DatabaseUrl.Sqlite) || !(target instanceof DatabaseUrl.Postgres)) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "migrate goes from a SQLite file to postgresql://…; --database names the file, --to the server");
        }
        try (Database source = Databases.open(from, context.clock());
                Database destination = Databases.open(target, context.clock())) {
            DatabaseCopy.Summary summary = copy(source, destination);
            context.out()
                    .printf(
                            "%,d rows in %d tables are in %s, each compared with its original%n",
                            summary.rows(), summary.tables(), destination.name());
            context.out().println("start the hub with --database set to it, and the same data dir");
        }
        return ExitStatus.OK.status();
    }

    private DatabaseCopy.Summary copy(Database source, Database destination) {
        try (var progress = new TableProgress(context)) {
            return new DatabaseCopy(source, destination, progress::show).run();
        }
    }
}
