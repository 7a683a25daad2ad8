package dev.skep.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Names that two hosts chose. */
@Command(
        name = "conflicts",
        mixinStandardHelpOptions = true,
        description = "Lists agents and hosts whose name another one had first; rename them.")
public final class ConflictsCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private AdminFlags flags = new AdminFlags();

    public ConflictsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return flags.ask(
                context,
                api ->
                        flags.list(
                                context,
                                api.get(flags.path("conflicts")),
                                "conflicts",
                                "table",
                                "id",
                                "name",
                                "hostName",
                                "host"));
    }
}
