package dev.skep.app;

import dev.skep.app.assembly.StoppedProcess;
import dev.skep.app.assembly.SystemTime;
import dev.skep.app.command.Program;
import dev.skep.cli.command.CommandContext;

/** Where the process begins. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        CommandContext context =
                CommandContext.ofThisProcess(SystemTime.clock(), StoppedProcess::open);
        int status = Program.run(context, arguments);
        System.exit(status);
    }
}
