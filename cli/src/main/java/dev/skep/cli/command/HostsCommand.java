package dev.skep.cli.command;

import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.http.Loopback;
import java.net.URI;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The machines of the fleet and their keys. */
@Command(
        name = "hosts",
        mixinStandardHelpOptions = true,
        description = "Lists hosts, enrols new ones and revokes old ones.")
public final class HostsCommand extends ListCommand {
    public HostsCommand(CommandContext context) {
        super(context);
    }

    @Override
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the hosts enrolled with this hub.")
    int list(@Mixin AdminFlags flags) {
        return flags.askHub(
                context,
                api ->
                        flags.list(
                                context,
                                api.get(flags.path("enrolments")),
                                "hosts",
                                "id",
                                "name",
                                "connected",
                                "allows",
                                "agentKeyVersion",
                                "enrolledAt",
                                "revokedAt"));
    }

    @Command(
            name = "self",
            mixinStandardHelpOptions = true,
            description = "Shows this machine's own host and the hubs it is in.")
    int self(@Mixin AdminFlags flags) {
        return flags.askHost(
                context,
                api -> {
                    Answer host = api.get("/api/host");
                    flags.one(
                            context,
                            host,
                            "id",
                            "name",
                            "kind",
                            "machineId",
                            "keyVersion",
                            "fingerprint");
                    return flags.list(
                            context, host, "hubs", "url", "hubId", "keyVersion", "allows");
                });
    }

    @Command(
            name = "pair",
            mixinStandardHelpOptions = true,
            description =
                    "Prints the command that enrols another machine; it works once, within 10 minutes.")
    int pair(
            @Mixin AdminFlags flags,
            @Option(
                            names = "--replace",
                            paramLabel = "HOST",
                            defaultValue = "",
                            description = "Let this known host bring a new key.")
                    String replaced) {
        Map<String, String> asked = replaced.isEmpty() ? Map.of() : Map.of("replaces", replaced);
        return flags.askHub(
                context,
                api -> {
                    Answer answer = api.post(flags.path("pairing-codes"), asked);
                    int status =
                            flags.say(
                                    context,
                                    answer,
                                    "skep enrol %s --code %s"
                                            .formatted(
                                                    api.publicUrl(), answer.fields().text("code")));
                    if (!flags.json()) {
                        warnIfForThisMachineOnly(context, api.publicUrl());
                    }
                    return status;
                });
    }

    /** On standard error: what is printed may be run as it is, over ssh. */
    private static void warnIfForThisMachineOnly(CommandContext context, String url) {
        if (Loopback.isLoopback(URI.create(url).getHost())) {
            context.err()
                    .println(
                            "skep: only this machine reaches %s; for others, start the hub with --listen ADDRESS:PORT (SKEP_LISTEN), or with --public-url URL (SKEP_PUBLIC_URL) if a proxy brings them here"
                                    .formatted(url));
        }
    }

    @Command(
            name = "revoke",
            mixinStandardHelpOptions = true,
            description = "Ends a host's access at once; pair --replace lets it back in.")
    int revoke(@Mixin AdminFlags flags, @Parameters(paramLabel = "HOST") String host) {
        return flags.askHub(
                context,
                api ->
                        flags.say(
                                context,
                                api.delete(flags.path("enrolments", host)),
                                host + " is revoked"));
    }

    @Command(
            name = "rotate",
            mixinStandardHelpOptions = true,
            description =
                    "Makes a host create a new key when it connects next; without a name, creates this machine's own new key.")
    int rotate(
            @Mixin AdminFlags flags,
            @Parameters(paramLabel = "HOST", arity = "0..1", defaultValue = "") String host) {
        return flags.askHub(
                context,
                api ->
                        host.isEmpty()
                                ? flags.say(
                                        context,
                                        api.post("/api/host/rotate", Map.of()),
                                        "made a new key; hubs learn it when this host connects next")
                                : flags.say(
                                        context,
                                        api.post(
                                                flags.path("enrolments", host, "rotate"), Map.of()),
                                        host + " will bring a new key when it connects next"));
    }
}
