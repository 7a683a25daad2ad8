package dev.skep.app.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.Api;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** How far hosts and hubs have got with each other. */
@Command(
        name = "sync",
        mixinStandardHelpOptions = true,
        description = "Shows this machine's links to its hubs, and how far each host is.")
final class SyncCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private AdminFlags flags = new AdminFlags();

    SyncCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return flags.ask(
                context,
                api -> {
                    links(api);
                    return flags.list(
                            context,
                            api.get(flags.path("sync")),
                            "peers",
                            "id",
                            "name",
                            "lag",
                            "lastAt");
                });
    }

    /** There are none where no process runs, or only a hub. */
    private void links(Api api) {
        try {
            flags.list(
                    context,
                    api.get("/api/host/links"),
                    "links",
                    "url",
                    "state",
                    "since",
                    "heardAt",
                    "problem");
        } catch (SkepException e) {
            if (e.code() != ErrorCode.NOT_FOUND) {
                throw e;
            }
        }
    }
}
