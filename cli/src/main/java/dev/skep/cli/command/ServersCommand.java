package dev.skep.cli.command;

import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Processes that hosts keep running. */
@Command(
        name = "servers",
        mixinStandardHelpOptions = true,
        description = "Lists and controls the processes that hosts keep running.")
public final class ServersCommand extends ListCommand {
    private static final int MOST = 1_000;

    public ServersCommand(CommandContext context) {
        super(context);
    }

    /** The words after a server's name are its command's: their flags are not ours. */
    public static CommandLine line(CommandContext context) {
        CommandLine line = new CommandLine(new ServersCommand(context));
        Objects.requireNonNull(line.getSubcommands().get("add")).setStopAtPositional(true);
        return line;
    }

    @Override
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists servers and the state that their hosts last reported.")
    int list(@Mixin AdminFlags flags) {
        return flags.askHub(
                context,
                api -> {
                    Answer answer = api.get(flags.path("servers") + "?limit=" + MOST);
                    Map<String, String> hosts = new FleetLookup(api, flags).hosts();
                    return flags.list(
                            context,
                            answer,
                            "servers",
                            new TextTable("ID", "NAME", "HOST", "STATE", "COMMAND"),
                            server ->
                                    new Object[] {
                                        server.shown("id"),
                                        server.shown("name"),
                                        hosts.getOrDefault(
                                                server.shown("hostId"), server.shown("hostId")),
                                        server.shown("state"),
                                        spec(server, "command")
                                    });
                });
    }

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = "Adds a server to a host; start runs it. Put flags before the host.")
    int add(
            @Mixin AdminFlags flags,
            @Option(
                            names = "--cwd",
                            paramLabel = "FOLDER",
                            defaultValue = "",
                            description =
                                    "Where it runs: a full path of the host, or one below work/.jobs of its data dir.")
                    String cwd,
            @Option(
                            names = "--env",
                            paramLabel = "KEY=VALUE",
                            description =
                                    "A variable of its environment, which its host must list in allowed-env; may be repeated.")
                    Map<String, String> environment,
            @Option(
                            names = "--restart",
                            paramLabel = "WHEN",
                            defaultValue = "on-failure",
                            description = "never, on-failure or always (default: on-failure).")
                    String restart,
            @Parameters(paramLabel = "HOST", description = "Its name or id.") String host,
            @Parameters(paramLabel = "NAME", description = "What to call the server.") String name,
            @Parameters(
                            paramLabel = "COMMAND",
                            arity = "1..*",
                            description = "The command line; the words are joined by spaces.")
                    List<String> words) {
        Map<String, Object> spec = new HashMap<>();
        spec.put("command", JobText.line(words));
        spec.put("restart", restart);
        if (!cwd.isEmpty()) {
            spec.put("cwd", cwd);
        }
        if (environment != null) {
            spec.put("env", environment);
        }
        return flags.askHub(
                context,
                api -> {
                    String id = new FleetLookup(api, flags).host(host).text("id");
                    Answer made =
                            api.post(
                                    flags.path("servers"),
                                    Map.of("hostId", id, "name", name, "spec", spec));
                    return flags.say(
                            context,
                            made,
                            "%s is known to %s; 'skep servers start %s' runs it"
                                    .formatted(name, host, name));
                });
    }

    @Command(
            name = "start",
            mixinStandardHelpOptions = true,
            description = "Starts a server and waits until it runs.")
    int start(@Mixin AdminFlags flags, @Parameters(paramLabel = "NAME") String name) {
        return steer(flags, name, "server.start");
    }

    @Command(
            name = "stop",
            mixinStandardHelpOptions = true,
            description = "Stops a server and waits until it is gone.")
    int stop(@Mixin AdminFlags flags, @Parameters(paramLabel = "NAME") String name) {
        return steer(flags, name, "server.stop");
    }

    @Command(
            name = "restart",
            mixinStandardHelpOptions = true,
            description = "Stops a server and starts it again.")
    int restart(@Mixin AdminFlags flags, @Parameters(paramLabel = "NAME") String name) {
        return steer(flags, name, "server.restart");
    }

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = "Shows a server as the hub knows it.")
    int status(@Mixin AdminFlags flags, @Parameters(paramLabel = "NAME") String name) {
        return flags.askHub(
                context,
                api -> {
                    var fleetLookup = new FleetLookup(api, flags);
                    Answer answer =
                            api.get(flags.path("servers", fleetLookup.server(name).text("id")));
                    JsonFields server = answer.fields();
                    String host = server.shown("hostId");
                    Map<String, String> lines = new LinkedHashMap<>();
                    lines.put("id", server.shown("id"));
                    lines.put("name", server.shown("name"));
                    lines.put("host", fleetLookup.hosts().getOrDefault(host, host));
                    lines.put("state", server.shown("state"));
                    lines.put("since", RunnerCall.time(server, "since"));
                    lines.put("command", spec(server, "command"));
                    lines.put("cwd", spec(server, "cwd"));
                    lines.put("restart", spec(server, "restart"));
                    return flags.json()
                            ? AdminFlags.raw(context, answer)
                            : flags.lines(context, lines);
                });
    }

    @Command(
            name = "logs",
            mixinStandardHelpOptions = true,
            description = "Asks a server's host for the end of the server's log and prints it.")
    int logs(@Mixin AdminFlags flags, @Parameters(paramLabel = "NAME") String name) {
        return flags.askHub(context, api -> new AwaitedServerJob(context, flags, api, name).logs());
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Removes a stopped server.")
    int remove(@Mixin AdminFlags flags, @Parameters(paramLabel = "NAME") String name) {
        return flags.askHub(
                context,
                api -> {
                    String id = new FleetLookup(api, flags).server(name).text("id");
                    return flags.say(
                            context, api.delete(flags.path("servers", id)), name + " is removed");
                });
    }

    private int steer(AdminFlags flags, String name, String type) {
        return flags.askHub(
                context, api -> new AwaitedServerJob(context, flags, api, name).steer(type));
    }

    private static String spec(JsonFields server, String name) {
        return server.object("spec").map(spec -> spec.shown(name)).orElse("");
    }
}
