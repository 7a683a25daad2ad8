package dev.skep.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Rows that sync set aside. */
@Command(
        name = "quarantine",
        mixinStandardHelpOptions = true,
        description =
                "Lists quarantined rows: those that could not be stored or were taken over, and why.")
public final class QuarantineCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private AdminFlags flags = new AdminFlags();

    public QuarantineCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return flags.ask(
                context,
                api ->
                        flags.list(
                                context,
                                api.get(flags.path("quarantine")),
                                "rows",
                                "at",
                                "host",
                                "table",
                                "key",
                                "reason"));
    }
}
