package dev.skep.app.command;

import dev.skep.cli.command.AcpCommand;
import dev.skep.cli.command.AdoptCommand;
import dev.skep.cli.command.AgentsCommand;
import dev.skep.cli.command.AllowCommand;
import dev.skep.cli.command.ApprovalsCommand;
import dev.skep.cli.command.AuditCommand;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.ConfigCommand;
import dev.skep.cli.command.ConflictsCommand;
import dev.skep.cli.command.CostsCommand;
import dev.skep.cli.command.EnrolCommand;
import dev.skep.cli.command.HostsCommand;
import dev.skep.cli.command.JobsCommand;
import dev.skep.cli.command.KeysCommand;
import dev.skep.cli.command.LogsCommand;
import dev.skep.cli.command.MailCommand;
import dev.skep.cli.command.NodesCommand;
import dev.skep.cli.command.OperatorsCommand;
import dev.skep.cli.command.OrgsCommand;
import dev.skep.cli.command.QuarantineCommand;
import dev.skep.cli.command.RetentionCommand;
import dev.skep.cli.command.RuntimesCommand;
import dev.skep.cli.command.ServersCommand;
import dev.skep.cli.command.SessionsCommand;
import dev.skep.cli.command.SettingsCommand;
import dev.skep.cli.command.SyncCommand;
import dev.skep.cli.command.WebhooksCommand;
import dev.skep.kernel.error.ExitStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The root command; every other command is one class, added in {@link #commands}. */
@Command(
        name = "skep",
        mixinStandardHelpOptions = true,
        versionProvider = Skep.Version.class,
        description = "A control plane for AI agents on many machines.",
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExit statuses:%n",
        footer = {
            "  0  done; also a service that was stopped and closed cleanly",
            "  1  understood, but it could not be done",
            "  2  the command or its configuration is wrong; nothing was opened",
            "  3  the machine lacks something: a folder, a port, disk space, a server",
            "  4  the database is not one this program may write"
        })
public final class Skep implements Callable<Integer> {
    private static final Map<String, Function<CommandContext, Object>> COMMANDS =
            new LinkedHashMap<>();

    static {
        COMMANDS.put("up", UpCommand::new);
        COMMANDS.put("run", RunCommand::new);
        COMMANDS.put("hub", HubCommand::new);
        COMMANDS.put("supervisor", SupervisorCommand::new);
        COMMANDS.put("demo", DemoCommand::new);
        COMMANDS.put("sync", SyncCommand::new);
        COMMANDS.put("conflicts", ConflictsCommand::new);
        COMMANDS.put("settings", SettingsCommand::new);
        COMMANDS.put("quarantine", QuarantineCommand::new);
        COMMANDS.put("retention", RetentionCommand::new);
        COMMANDS.put("adopt", AdoptCommand::new);
        COMMANDS.put("migrate", MigrateCommand::new);
        COMMANDS.put("agents", AgentsCommand::new);
        COMMANDS.put("acp", AcpCommand::new);
        COMMANDS.put("runtimes", context -> new RuntimesCommand(context, new RuntimeSignIn()));
        COMMANDS.put("mail", MailCommand::new);
        COMMANDS.put("logs", LogsCommand::new);
        COMMANDS.put("sessions", SessionsCommand::new);
        COMMANDS.put("costs", CostsCommand::new);
        COMMANDS.put("approvals", ApprovalsCommand::new);
        COMMANDS.put("registry", Skep::registry);
        COMMANDS.put("config", ConfigCommand::new);
        COMMANDS.put("doctor", DoctorCommand::new);
        COMMANDS.put("backup", BackupCommand::new);
        COMMANDS.put("restore", RestoreCommand::new);
        COMMANDS.put("enrol", EnrolCommand::new);
        COMMANDS.put("allow", AllowCommand::new);
        COMMANDS.put("hosts", HostsCommand::new);
        COMMANDS.put("jobs", JobsCommand::line);
        COMMANDS.put("servers", ServersCommand::line);
        COMMANDS.put("nodes", NodesCommand::new);
        COMMANDS.put("operators", OperatorsCommand::new);
        COMMANDS.put("orgs", OrgsCommand::new);
        COMMANDS.put("keys", KeysCommand::new);
        COMMANDS.put("webhooks", WebhooksCommand::new);
        COMMANDS.put("audit", AuditCommand::new);
        COMMANDS.put("train", TrainCommand::new);
    }

    @Spec private CommandSpec spec = CommandSpec.create();

    /** Parses the command line with picocli and runs it. */
    static int run(CommandContext context, String... arguments) {
        var errorPrinter = new ErrorPrinter(context);
        CommandLine line = command(context, arguments);
        line.setOut(context.out());
        line.setErr(context.err());
        line.setColorScheme(CommandLine.Help.defaultColorScheme(ansi(context)));
        line.setExecutionExceptionHandler(
                (failure, command, words) -> errorPrinter.failed(failure));
        line.setParameterExceptionHandler(
                (failure, words) -> errorPrinter.misread(UsageError.of(failure)));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        try {
            return line.execute(arguments);
        } catch (Error failure) {
            return errorPrinter.unexpected(failure);
        } finally {
            context.out().flush();
            context.err().flush();
        }
    }

    /** All commands with their options, also for the reference that is made from them. */
    public static CommandLine commands(CommandContext context) {
        var line = new CommandLine(new Skep());
        COMMANDS.forEach((name, command) -> line.addSubcommand(name, command.apply(context)));
        return line;
    }

    /** Only the command that is asked for: making all of them takes a third of a start. */
    private static CommandLine command(CommandContext context, String... arguments) {
        String name = arguments.length == 0 ? "" : arguments[0];
        Function<CommandContext, Object> command = COMMANDS.get(name);
        return command == null
                ? commands(context)
                : new CommandLine(new Skep()).addSubcommand(name, command.apply(context));
    }

    private static CommandLine registry(CommandContext context) {
        return new CommandLine(new RegistryCommand(context))
                .addSubcommand(new RegistryExportCommand(context))
                .addSubcommand(new RegistryImportCommand(context));
    }

    // Colour is for people at a terminal who did not decline it.
    private static Ansi ansi(CommandContext context) {
        String declined = context.environment().getOrDefault("NO_COLOR", "");
        return declined.isEmpty() ? Ansi.AUTO : Ansi.OFF;
    }

    /** Without a command there is nothing to do but to list them. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitStatus.USAGE.status();
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {Program.version()};
        }
    }
}
