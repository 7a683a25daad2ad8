package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What tells a person: channels, the kinds that each tells, and the messages. */
@Command(
        name = "notifications",
        mixinStandardHelpOptions = true,
        description =
                "Shows and chooses what tells a person: by e-mail, Slack, Discord, a signed webhook or open pages.")
public final class NotificationsCommand implements Callable<Integer> {
    private static final String PASSWORD = "SKEP_MAIL_PASSWORD";

    private final CommandContext context;
    @Mixin private PersonFlags bare = new PersonFlags();

    public NotificationsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return list(bare);
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the channels with the kinds that each tells.")
    int list(@Mixin PersonFlags flags) {
        return flags.admin()
                .askHub(
                        context,
                        api ->
                                flags.admin()
                                        .list(
                                                context,
                                                api.get(flags.path()),
                                                "channels",
                                                new TextTable(
                                                        "ID", "KIND", "NAME", "TO", "TELLS",
                                                        "STOPPED"),
                                                NotificationsCommand::row));
    }

    private static Object[] row(JsonFields channel) {
        return new Object[] {
            channel.text("id"),
            channel.text("kind"),
            channel.text("name"),
            channel.text("to"),
            String.join(", ", channel.textList("kinds")),
            channel.shown("disabledReason")
        };
    }

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description =
                    "Adds a channel; of a signed webhook it prints the secret that signs its messages.")
    int add(
            @Mixin PersonFlags flags,
            @Parameters(
                            paramLabel = "KIND",
                            description = "email, slack, discord or generic (signed JSON).")
                    String kind,
            @Parameters(
                            paramLabel = "TO",
                            description =
                                    "The e-mail address, or the URL; - reads it from the standard input.")
                    String to,
            @Option(
                            names = "--name",
                            paramLabel = "NAME",
                            description = "Its name for people (default: its kind).")
                    @Nullable String name,
            @Option(
                            names = "--tell",
                            paramLabel = "KIND",
                            split = ",",
                            description =
                                    "What it tells, separated by commas: approval, agent_failed, agent_repeats, over_budget, mail, host_offline, job_failed (default: the first five).")
                    @Nullable List<String> kinds) {
        Map<String, Object> wanted = new TreeMap<>();
        wanted.put("kind", kind);
        wanted.put("to", to.equals("-") ? firstLine() : to);
        if (name != null) {
            wanted.put("name", name);
        }
        if (kinds != null) {
            wanted.put("kinds", stripped(kinds));
        }
        return flags.admin()
                .askHub(
                        context,
                        api -> {
                            Answer answer = api.post(flags.path("channels"), wanted);
                            String id = answer.fields().object("channel").orElseThrow().text("id");
                            return flags.admin()
                                    .say(
                                            context,
                                            answer,
                                            answer.fields()
                                                    .optionalText("secret")
                                                    .orElse("added as " + id));
                        });
    }

    private static String firstLine() {
        try (Scanner in = new Scanner(System.in, StandardCharsets.UTF_8)) {
            if (in.hasNextLine()) {
                return in.nextLine().strip();
            }
        }
        throw new SkepException(ErrorCode.BAD_REQUEST, "the standard input has no line");
    }

    private static List<String> stripped(List<String> kinds) {
        return kinds.stream().map(String::strip).filter(kind -> !kind.isEmpty()).toList();
    }

    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = "Chooses the kinds that a channel tells; one that was stopped goes on.")
    int set(
            @Mixin PersonFlags flags,
            @Parameters(paramLabel = "CHANNEL", description = "Its id or name.") String channel,
            @Parameters(
                            paramLabel = "KIND",
                            arity = "0..*",
                            description =
                                    "approval, agent_failed, agent_repeats, over_budget, mail, host_offline, job_failed; none is quiet.")
                    @Nullable List<String> kinds) {
        List<String> chosen = kinds == null ? List.of() : stripped(kinds);
        return flags.admin()
                .askHub(
                        context,
                        api -> {
                            Answer answer =
                                    api.call(
                                            HttpMethod.PATCH,
                                            flags.path("channels", found(api, flags, channel)),
                                            Map.of("kinds", chosen));
                            List<String> now = answer.fields().textList("kinds");
                            return flags.admin()
                                    .say(
                                            context,
                                            answer,
                                            now.isEmpty()
                                                    ? "it tells nothing"
                                                    : "it tells " + String.join(", ", now));
                        });
    }

    /** The id of a channel that was named by its id or its name. */
    private static String found(ApiClient api, PersonFlags flags, String channel) {
        List<String> ids = new ArrayList<>();
        for (JsonFields each : api.get(flags.path()).fields().list("channels")) {
            if (each.text("id").equals(channel)) {
                return channel;
            }
            if (each.text("name").equals(channel)) {
                ids.add(each.text("id"));
            }
        }
        if (ids.size() == 1) {
            return ids.getFirst();
        }
        throw new SkepException(
                ErrorCode.NOT_FOUND,
                ids.isEmpty()
                        ? "there is no channel %s; see: skep notifications list".formatted(channel)
                        : "'%s' is not one channel; write one of %s"
                                .formatted(channel, String.join(" ", ids)));
    }

    @Command(
            name = "test",
            mixinStandardHelpOptions = true,
            description = "Sends a test message now and prints what the other side said.")
    int test(
            @Mixin PersonFlags flags,
            @Parameters(paramLabel = "CHANNEL", description = "Its id or name.") String channel) {
        return flags.admin()
                .askHub(
                        context,
                        api -> {
                            Answer answer =
                                    api.post(
                                            flags.path(
                                                    "channels", found(api, flags, channel), "test"),
                                            Map.of());
                            JsonFields fared = answer.fields();
                            if (!fared.text("outcome").equals("sent")) {
                                throw new SkepException(
                                        ErrorCode.DELIVERY_FAILED,
                                        "the message did not arrive: " + reason(fared));
                            }
                            String status = fared.shown("lastStatus");
                            return flags.admin()
                                    .say(
                                            context,
                                            answer,
                                            status.isEmpty()
                                                    ? "it was shown"
                                                    : "it was taken with " + status);
                        });
    }

    private static String reason(JsonFields fared) {
        String said = fared.shown("lastError");
        return said.isEmpty() ? "no open page showed it" : said;
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Removes a channel with its messages.")
    int remove(
            @Mixin PersonFlags flags,
            @Parameters(paramLabel = "CHANNEL", description = "Its id or name.") String channel) {
        return flags.admin()
                .askHub(
                        context,
                        api ->
                                flags.admin()
                                        .say(
                                                context,
                                                api.delete(
                                                        flags.path(
                                                                "channels",
                                                                found(api, flags, channel))),
                                                channel + " is removed"));
    }

    @Command(
            name = "deliveries",
            mixinStandardHelpOptions = true,
            description = "Lists the latest messages and the outcome of each.")
    int deliveries(
            @Mixin PersonFlags flags,
            @Option(
                            names = "--everybody",
                            description = "Those of all people, without what they say; for admins.")
                    boolean everybody) {
        return flags.admin()
                .askHub(
                        context,
                        api ->
                                flags.admin()
                                        .list(
                                                context,
                                                api.get(
                                                        everybody
                                                                ? flags.admin()
                                                                                .path(
                                                                                        "notifications",
                                                                                        "deliveries")
                                                                        + "?of=everybody"
                                                                : flags.path("deliveries")),
                                                "deliveries",
                                                "createdAt",
                                                "operator",
                                                "channel",
                                                "topic",
                                                "title",
                                                "outcome",
                                                "tries",
                                                "lastStatus",
                                                "lastError"));
    }

    @Command(
            name = "mail-server",
            mixinStandardHelpOptions = true,
            description =
                    "Shows the mail server of the org, sets it with --host and --sender, or removes it.")
    int mailServer(
            @Mixin AdminFlags flags,
            @Option(
                            names = "--host",
                            paramLabel = "HOST",
                            description = "Sets the server: its name.")
                    @Nullable String host,
            @Option(
                            names = "--sender",
                            paramLabel = "ADDRESS",
                            description = "The address that messages come from.")
                    @Nullable String sender,
            @Option(
                            names = "--security",
                            paramLabel = "HOW",
                            defaultValue = "tls",
                            description =
                                    "tls from the first byte, or starttls; nothing is sent without either (default: tls).")
                    String security,
            @Option(
                            names = "--port",
                            paramLabel = "PORT",
                            description = "Its port (default: 465 for tls, 587 for starttls).")
                    @Nullable Integer port,
            @Option(
                            names = "--user",
                            paramLabel = "USER",
                            description =
                                    "Its account; the password is read from "
                                            + PASSWORD
                                            + " in the environment, and kept as it is without.")
                    @Nullable String user,
            @Option(names = "--remove", description = "Removes it.") boolean remove) {
        String path = flags.path("mail-server");
        if (remove) {
            return flags.askHub(
                    context, api -> flags.say(context, api.delete(path), "it is removed"));
        }
        if (host == null) {
            return flags.askHub(
                    context,
                    api -> {
                        Answer answer = api.get(path);
                        if (flags.json()) {
                            return AdminFlags.raw(context, answer);
                        }
                        JsonFields server =
                                answer.fields()
                                        .object("server")
                                        .orElseThrow(
                                                () ->
                                                        new SkepException(
                                                                ErrorCode.NOT_FOUND,
                                                                "this org has no mail server; set one with --host and --sender"));
                        Map<String, String> lines = new LinkedHashMap<>();
                        List.of("host", "port", "security", "user", "sender")
                                .forEach(name -> lines.put(name, server.shown(name)));
                        return flags.lines(context, lines);
                    });
        }
        if (sender == null) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "--sender is missing: which address do messages come from?");
        }
        Map<String, Object> wanted = new TreeMap<>();
        wanted.put("host", host);
        wanted.put("sender", sender);
        wanted.put("security", security);
        if (port != null) {
            wanted.put("port", port);
        }
        if (user != null) {
            wanted.put("user", user);
        }
        String password = context.environment().getOrDefault(PASSWORD, "");
        if (!password.isEmpty()) {
            wanted.put("password", password);
        }
        return flags.askHub(
                context,
                api ->
                        flags.say(
                                context,
                                api.call(HttpMethod.PUT, path, wanted),
                                "e-mail leaves through " + host));
    }
}
