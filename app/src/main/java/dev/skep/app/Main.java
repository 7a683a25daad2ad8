package dev.skep.app;

import dev.skep.app.command.CommandContext;
import dev.skep.app.command.Skep;

/** Where the process begins. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        int status = Skep.run(CommandContext.ofThisProcess(), arguments);
        System.exit(status);
    }
}
