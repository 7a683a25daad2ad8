package dev.skep.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command about things of one kind; without a subcommand it lists them. */
abstract class ListCommand implements Callable<Integer> {
    final CommandContext context;
    @Mixin private AdminFlags bare = new AdminFlags();

    ListCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public final Integer call() {
        return list(bare);
    }

    /** The subcommand {@code list}, which is the same. */
    abstract int list(AdminFlags flags);
}
