package dev.skep.app.command;

import dev.skep.cli.command.CommandContext;
import dev.skep.kernel.error.ExitStatus;

/**
 * The command line as a whole. What is asked often or must start fast is done without picocli,
 * which no AOT cache can hold and which takes longer than all the rest of a short command.
 */
public final class Program {
    private Program() {}

    /** Runs one command line and returns its exit status. */
    public static int run(CommandContext context, String... arguments) {
        if (arguments.length == 1 && arguments[0].equals("--version")) {
            context.out().println(version());
            return ExitStatus.OK.status();
        }
        return ServiceArguments.read(arguments)
                .map(service -> service.run(context))
                .orElseGet(() -> Skep.run(context, arguments));
    }

    /** The version the jar was built as. */
    static String version() {
        String version = Program.class.getPackage().getImplementationVersion();
        return "skep " + (version == null ? "(not packaged)" : version);
    }
}
