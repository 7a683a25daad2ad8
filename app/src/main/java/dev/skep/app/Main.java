package dev.skep.app;

import dev.skep.app.command.CommandContext;
import dev.skep.app.command.Program;

/** Where the process begins. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        int status = Program.run(CommandContext.ofThisProcess(), arguments);
        System.exit(status);
    }
}
