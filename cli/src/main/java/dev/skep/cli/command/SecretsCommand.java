package dev.skep.cli.command;

import dev.skep.directory.secret.HostSeal;
import dev.skep.directory.secret.SecretDigest;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.job.SecretName;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import java.io.Console;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Secrets for the files of agents, sealed here for each host before they leave. */
@Command(
        name = "secrets",
        mixinStandardHelpOptions = true,
        description =
                "Lists, sets and removes secrets for agents' files, which name them as secret.NAME. Values are sealed for each host and shown nowhere.")
public final class SecretsCommand extends ListCommand {
    /** Shorter ones could not be taken out of logs. */
    private static final int SHORTEST = 6;

    public SecretsCommand(CommandContext context) {
        super(context);
    }

    @Override
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists them with the hosts that have them; values are not known here.")
    int list(@Mixin AdminFlags flags) {
        return flags.askHub(
                context,
                api -> {
                    Answer answer = api.get(flags.path("secrets"));
                    if (flags.json()) {
                        return AdminFlags.raw(context, answer);
                    }
                    TextTable table =
                            new TextTable("NAME", "FOR", "HOST", "STATE", "SET BY", "SET AT");
                    for (JsonFields secret : answer.fields().list("secrets")) {
                        rows(table, secret);
                    }
                    table.print(context.out());
                    return 0;
                });
    }

    private static void rows(TextTable table, JsonFields secret) {
        String name = secret.shown("name");
        String targets = String.join(" ", secret.textList("targets"));
        List<JsonFields> hosts = secret.list("hosts");
        if (hosts.isEmpty()) {
            table.row(name, targets, "", "no such host yet", "", "");
        }
        for (JsonFields host : hosts) {
            table.row(
                    name,
                    targets,
                    host.shown("hostName"),
                    host.shown("state"),
                    host.shown("sealedBy"),
                    RunnerCall.time(host, "sealedAt"));
        }
    }

    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description =
                    "Sets a secret, or replaces it everywhere. The value is asked for, or read from standard input.")
    int set(
            @Mixin AdminFlags flags,
            @Parameters(
                            paramLabel = "NAME",
                            description = "Capital letters, digits and _, as DEPLOY_TOKEN.")
                    String name,
            @Option(
                            names = "--host",
                            paramLabel = "HOST",
                            description =
                                    "A host that it is for; several times for several. Without hosts and labels it is for those it was for before.")
                    List<String> hosts,
            @Option(
                            names = "--label",
                            paramLabel = "NAME:VALUE",
                            description = "All hosts with this label, as env:prod.")
                    List<String> labels,
            @Option(
                            names = "--fingerprint",
                            paramLabel = "FINGERPRINT",
                            description =
                                    "What 'skep hosts self' shows on a host: the secret is sealed for hosts with these only.")
                    List<String> fingerprints) {
        SecretName.require(name);
        List<String> compared = Optional.ofNullable(fingerprints).orElse(List.of());
        return flags.askHub(
                context,
                api -> {
                    List<String> targets =
                            targets(api, flags, Optional.ofNullable(hosts), labels(labels));
                    JsonFields wanted = recipients(api, flags, name, targets);
                    List<JsonFields> recipients = open(wanted.list("recipients"));
                    compare(recipients, compared);
                    String value = value(name);
                    Answer answer = put(api, flags, name, wanted, recipients, value);
                    return flags.say(
                            context,
                            answer,
                            "%s is sealed for %s".formatted(name, names(recipients)));
                });
    }

    private static List<String> labels(List<String> labels) {
        return Optional.ofNullable(labels).orElse(List.of()).stream()
                .map(label -> "label:" + label)
                .toList();
    }

    private static List<String> targets(
            ApiClient api, AdminFlags flags, Optional<List<String>> hosts, List<String> labels) {
        FleetLookup lookup = new FleetLookup(api, flags);
        List<String> targets = new ArrayList<>(labels);
        hosts.orElse(List.of())
                .forEach(host -> targets.add("host:" + lookup.host(host).text("id")));
        return targets;
    }

    private static JsonFields recipients(
            ApiClient api, AdminFlags flags, String name, List<String> targets) {
        String path = flags.path("secrets", name, "recipients");
        return api.get(
                        targets.isEmpty()
                                ? path
                                : path
                                        + "?targets="
                                        + AdminFlags.encoded(String.join(",", targets)))
                .fields();
    }

    /** Those that a secret can be sealed for; the others are named with the reason. */
    private List<JsonFields> open(List<JsonFields> all) {
        List<JsonFields> open = new ArrayList<>();
        for (JsonFields host : all) {
            if (!host.flag("allowed")) {
                context.err()
                        .printf(
                                "skep: not for %s: it does not allow this hub 'agents'; on it, run: skep allow%n",
                                host.shown("hostName"));
            } else if (host.shown("publicKey").isEmpty()) {
                context.err()
                        .printf(
                                "skep: not for %s: it has no key here that is good; let it enrol again%n",
                                host.shown("hostName"));
            } else {
                open.add(host);
            }
        }
        if (open.isEmpty()) {
            throw new SkepException(
                    ErrorCode.NO_CONSENT, "there is no host to seal it for; nothing was changed");
        }
        return open;
    }

    /**
     * The fingerprint is computed from the key that is sealed with: a hub that shows one and hands
     * out the key of another gains nothing.
     */
    private void compare(List<JsonFields> recipients, List<String> compared) {
        for (JsonFields host : recipients) {
            String shown = SecretDigest.fingerprint(host.text("publicKey"));
            if (!compared.isEmpty() && !compared.contains(shown)) {
                throw new SkepException(
                        ErrorCode.HOST_KEY_CHANGED,
                        "%s has the fingerprint %s, which is none of those given; compare it with 'skep hosts self' on that host"
                                .formatted(host.shown("hostName"), shown));
            }
            context.err()
                    .printf("skep: %s has the fingerprint %s%n", host.shown("hostName"), shown);
        }
        if (compared.isEmpty()) {
            context.err()
                    .println(
                            "skep: these are the hub's word; to be sure, compare them with 'skep hosts self' on each host, and name them with --fingerprint");
        }
    }

    private static String value(String name) {
        Optional<Console> console =
                Optional.ofNullable(System.console()).filter(Console::isTerminal);
        String value =
                console.map(c -> new String(c.readPassword("the value of %s: ", name)))
                        .orElseGet(SecretsCommand::fromStandardInput);
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (value.length() < SHORTEST || bytes > HostSeal.LONGEST) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "a secret has at least %d characters, and at most %,d bytes"
                            .formatted(SHORTEST, HostSeal.LONGEST));
        }
        return value;
    }

    /** Without the line end that echo and editors add. */
    private static String fromStandardInput() {
        try {
            byte[] read = System.in.readNBytes(HostSeal.LONGEST + 3);
            return new String(read, StandardCharsets.UTF_8).replaceFirst("\r?\n$", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Answer put(
            ApiClient api,
            AdminFlags flags,
            String name,
            JsonFields wanted,
            List<JsonFields> recipients,
            String value) {
        long version = wanted.number("version");
        Map<String, String> sealed = new LinkedHashMap<>();
        for (JsonFields host : recipients) {
            String id = host.text("hostId");
            sealed.put(
                    id,
                    HostSeal.seal(
                            host.text("publicKey"), value, SecretName.purpose(id, name, version)));
        }
        return api.call(
                HttpMethod.PUT,
                flags.path("secrets", name),
                Map.of(
                        "version",
                        version,
                        "targets",
                        wanted.textList("targets"),
                        "sealed",
                        sealed));
    }

    private static String names(List<JsonFields> hosts) {
        return hosts.stream().map(host -> host.shown("hostName")).collect(Collectors.joining(", "));
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Removes a secret from all its hosts.")
    int remove(@Mixin AdminFlags flags, @Parameters(paramLabel = "NAME") String name) {
        return flags.askHub(
                context,
                api ->
                        flags.say(
                                context,
                                api.delete(flags.path("secrets", name)),
                                name + " is removed"));
    }
}
