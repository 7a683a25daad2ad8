package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The agent processes that registered, here or at other hosts. */
@Command(
        name = "nodes",
        mixinStandardHelpOptions = true,
        description =
                "Lists the agent processes that registered, here or at other hosts, and removes those that are gone.")
public final class NodesCommand extends ListCommand {
    public NodesCommand(CommandContext context) {
        super(context);
    }

    @Override
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists nodes, including offline ones that are still kept.")
    int list(@Mixin AdminFlags flags) {
        return flags.ask(
                context,
                api ->
                        flags.list(
                                context,
                                api.get(flags.path("nodes")),
                                "nodes",
                                new TextTable(
                                        "ID", "HOST", "STATUS", "ADDRESS", "LAST SEEN", "CWD"),
                                node ->
                                        new Object[] {
                                            node.shown("id"),
                                            node.shown("host"),
                                            status(node),
                                            address(node),
                                            RunnerCall.time(node, "lastSeenAt"),
                                            node.shown("cwd")
                                        }));
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Shows a node, its counters and when it connected and disconnected.")
    int show(
            @Mixin AdminFlags flags,
            @Option(
                            names = "--host",
                            paramLabel = "HOST",
                            defaultValue = "",
                            description =
                                    "The name or id of its host, if two hosts have a node with this id.")
                    String host,
            @Parameters(paramLabel = "ID") String id) {
        return flags.ask(
                context,
                api -> {
                    List<JsonFields> all = api.get(flags.path("nodes")).fields().list("nodes");
                    String hostId = one(all, id, host).text("hostId");
                    Answer answer = api.get(flags.path("nodes", hostId, id));
                    return flags.json() ? AdminFlags.raw(context, answer) : page(flags, answer);
                });
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description =
                    "Removes an offline node with its history; an active one would register again and is refused.")
    int remove(
            @Mixin AdminFlags flags,
            @Option(
                            names = "--host",
                            paramLabel = "HOST",
                            defaultValue = "",
                            description =
                                    "The name or id of its host, if two hosts have a node with this id.")
                    String host,
            @Parameters(paramLabel = "ID") String id) {
        return flags.ask(
                context,
                api -> {
                    List<JsonFields> all = api.get(flags.path("nodes")).fields().list("nodes");
                    JsonFields node = one(all, id, host);
                    Answer answer = api.delete(flags.path("nodes", node.text("hostId"), id));
                    return flags.say(context, answer, removed(node, answer.fields()));
                });
    }

    private static String removed(JsonFields node, JsonFields answer) {
        return answer.optionalText("jobId")
                .map(
                        job ->
                                "%s is asked to remove %s; 'skep jobs show %s' shows the outcome"
                                        .formatted(node.shown("host"), node.text("id"), job))
                .orElseGet(() -> node.text("id") + " is removed");
    }

    private static JsonFields one(List<JsonFields> all, String id, String host) {
        List<JsonFields> fitting =
                all.stream()
                        .filter(node -> node.text("id").equals(id))
                        .filter(
                                node ->
                                        host.isEmpty()
                                                || node.shown("host").equals(host)
                                                || node.text("hostId").equals(host))
                        .toList();
        if (fitting.isEmpty()) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "there is no node %s; 'skep nodes' lists them".formatted(id));
        }
        if (fitting.size() > 1) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "%d hosts know a node %s; add --host %s"
                            .formatted(
                                    fitting.size(),
                                    id,
                                    fitting.stream()
                                            .map(node -> node.text("hostId"))
                                            .collect(Collectors.joining(" or --host "))));
        }
        return fitting.getFirst();
    }

    private int page(AdminFlags flags, Answer answer) {
        JsonFields node = answer.fields().object("node").orElseThrow();
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("id", node.shown("id"));
        lines.put("host", "%s (%s)".formatted(node.shown("host"), node.shown("hostId")));
        lines.put("status", status(node));
        lines.put("address", address(node));
        lines.put("cwd", node.shown("cwd"));
        lines.put("pid", node.shown("pid"));
        lines.put("registered", RunnerCall.time(node, "registeredAt"));
        lines.put("last seen", RunnerCall.time(node, "lastSeenAt"));
        lines.put("offline since", RunnerCall.time(node, "offlineSince"));
        lines.put("reconnects", node.shown("reconnects"));
        lines.put("counted until", RunnerCall.time(node, "countedUntil"));
        lines.put("messages", node.shown("messages"));
        lines.put("proxy sessions", node.shown("sessions"));
        lines.put("up", node.shown("uptimeSeconds") + " s");
        lines.put("errors", node.shown("errors"));
        flags.lines(context, lines);
        context.out().println();
        TextTable visits = new TextTable("TIME", "IT", "FROM");
        for (JsonFields visit : answer.fields().list("connections")) {
            visits.row(RunnerCall.time(visit, "at"), visit.shown("event"), visit.shown("peer"));
        }
        visits.print(context.out());
        return ExitStatus.OK.status();
    }

    /** An older process does not report it, and has stored what it shows. */
    private static String status(JsonFields node) {
        return !node.has("stored") || node.flag("stored")
                ? node.shown("status")
                : node.shown("status") + " (not stored yet)";
    }

    private static String address(JsonFields node) {
        return node.shown("machine") + ":" + node.shown("port");
    }
}
