package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** How far hosts and hubs have synced. */
@Command(
        name = "sync",
        mixinStandardHelpOptions = true,
        description = "Shows this machine's links to its hubs, and how far each host has synced.")
public final class SyncCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private AdminFlags flags = new AdminFlags();

    public SyncCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return flags.ask(
                context,
                api -> {
                    boolean links = context.remote().isEmpty() && links(api);
                    Answer peers = api.get(flags.path("sync"));
                    // On a runner they are the links that were shown.
                    boolean shown =
                            links
                                    && peers.fields().list("peers").stream()
                                            .allMatch(p -> p.shown("role").equals("hub"));
                    return shown && !flags.json() ? 0 : peers(peers);
                });
    }

    private int peers(Answer answer) {
        return flags.list(
                context,
                answer,
                "peers",
                new TextTable("ID", "NAME", "STATE", "LAG", "IN FLIGHT", "LAST AT"),
                peer ->
                        new Object[] {
                            peer.shown("id"),
                            peer.shown("name"),
                            peer.shown("state"),
                            lag(peer),
                            flight(peer),
                            RunnerCall.time(peer, "lastAt")
                        });
    }

    /** False where no process runs, or only a hub: there are none. */
    private boolean links(ApiClient api) {
        try {
            flags.list(
                    context,
                    api.get("/api/host/links"),
                    "links",
                    new TextTable(
                            "URL", "STATE", "LAG", "IN FLIGHT", "SINCE", "LAST CONTACT", "PROBLEM"),
                    link ->
                            new Object[] {
                                link.shown("url"),
                                link.shown("state"),
                                lag(link),
                                flight(link),
                                RunnerCall.time(link, "since"),
                                RunnerCall.time(link, "heardAt"),
                                link.shown("problem")
                            });
            return true;
        } catch (SkepException e) {
            if (e.code() != ErrorCode.NOT_FOUND) {
                throw e;
            }
            return false;
        }
    }

    private static String lag(JsonFields peer) {
        if (!peer.shown("lag").isEmpty()) {
            return peer.shown("lag");
        }
        String since = RunnerCall.time(peer, "unknownSince");
        return since.isEmpty() ? "unknown" : "unknown since " + since;
    }

    private String flight(JsonFields peer) {
        return InFlightText.words(
                peer.shown("askedAt"), peer.shown("movedAt"), context.clock().instant());
    }
}
