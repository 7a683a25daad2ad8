package dev.skep.app.command;

import dev.skep.kernel.error.Exit;
import java.util.concurrent.Callable;
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
    @Spec private CommandSpec spec = CommandSpec.create();

    /** Runs one command line and tells its exit status. */
    public static int run(CommandContext context, String... arguments) {
        // Scripts ask this often; picocli, which no AOT cache can hold, would double the time.
        if (arguments.length == 1 && arguments[0].equals("--version")) {
            context.out().println(Version.line());
            return Exit.OK.status();
        }
        return parseAndRun(context, arguments);
    }

    private static int parseAndRun(CommandContext context, String... arguments) {
        var edge = new ErrorEdge(context);
        CommandLine line = commands(context);
        line.setOut(context.out());
        line.setErr(context.err());
        line.setColorScheme(CommandLine.Help.defaultColorScheme(ansi(context)));
        line.setExecutionExceptionHandler(edge);
        line.setParameterExceptionHandler(edge);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        try {
            return line.execute(arguments);
        } catch (Error failure) {
            return edge.unexpected(failure);
        } finally {
            context.out().flush();
            context.err().flush();
        }
    }

    /** All commands with their options, also for the reference that is made from them. */
    public static CommandLine commands(CommandContext context) {
        var line = new CommandLine(new Skep());
        line.addSubcommand(new UpCommand(context));
        line.addSubcommand(new RunCommand(context));
        line.addSubcommand(new HubCommand(context));
        line.addSubcommand(new SupervisorCommand(context));
        line.addSubcommand(new DemoCommand(context));
        line.addSubcommand(new SyncCommand(context));
        line.addSubcommand(new ConflictsCommand(context));
        line.addSubcommand(new QuarantineCommand(context));
        line.addSubcommand(new AdoptCommand(context));
        line.addSubcommand(new MigrateCommand(context));
        line.addSubcommand(new AgentsCommand(context));
        line.addSubcommand(new MailCommand(context));
        line.addSubcommand(new LogsCommand(context));
        line.addSubcommand(new SessionsCommand(context));
        line.addSubcommand(new CostsCommand(context));
        line.addSubcommand(new ApprovalsCommand(context));
        var registry = new CommandLine(new RegistryCommand(context));
        registry.addSubcommand(new RegistryExportCommand(context));
        registry.addSubcommand(new RegistryImportCommand(context));
        line.addSubcommand(registry);
        line.addSubcommand(new ConfigCommand(context));
        line.addSubcommand(new DoctorCommand(context));
        line.addSubcommand(new BackupCommand(context));
        line.addSubcommand(new RestoreCommand(context));
        line.addSubcommand(new EnrolCommand(context));
        line.addSubcommand(new HostsCommand(context));
        line.addSubcommand(JobsCommand.line(context));
        line.addSubcommand(ServersCommand.line(context));
        line.addSubcommand(new NodesCommand(context));
        line.addSubcommand(new OperatorsCommand(context));
        line.addSubcommand(new OrgsCommand(context));
        line.addSubcommand(new KeysCommand(context));
        line.addSubcommand(new AuditCommand(context));
        line.addSubcommand(new TrainCommand(context));
        return line;
    }

    // Colour is for people at a terminal who did not decline it.
    private static Ansi ansi(CommandContext context) {
        String declined = context.environment().getOrDefault("NO_COLOR", "");
        return declined.isEmpty() ? Ansi.AUTO : Ansi.OFF;
    }

    /** Without a command there is nothing to do but to tell which there are. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return Exit.USAGE.status();
    }

    /** The version the jar was built as. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {line()};
        }

        static String line() {
            String version = Skep.class.getPackage().getImplementationVersion();
            return "skep " + (version == null ? "(not packaged)" : version);
        }
    }
}
