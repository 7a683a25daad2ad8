package dev.skep.cli.command;

import dev.skep.dispatch.alert.Webhook;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Webhooks, which receive alerts and events. */
@Command(
        name = "webhooks",
        mixinStandardHelpOptions = true,
        description = "Lists, adds, tests and removes webhooks, which receive alerts and events.")
public final class WebhooksCommand extends ListCommand {
    private static final String ALL_ALERTS = "all alerts";

    public WebhooksCommand(CommandContext context) {
        super(context);
    }

    @Override
    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists them.")
    int list(@Mixin AdminFlags flags) {
        return flags.askHub(
                context,
                api ->
                        flags.list(
                                context,
                                api.get(flags.path("webhooks")),
                                "webhooks",
                                new TextTable("ID", "KIND", "NAME", "ABOUT", "URL", "DISABLED"),
                                WebhooksCommand::row));
    }

    private static Object[] row(JsonFields webhook) {
        List<String> topics = webhook.textList("topics").stream().sorted().toList();
        return new Object[] {
            webhook.text("id"),
            webhook.text("kind"),
            webhook.text("name"),
            topics.isEmpty() ? ALL_ALERTS : String.join(", ", topics),
            webhook.text("url"),
            webhook.shown("disabledReason")
        };
    }

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = "Adds a webhook and prints the secret that signs its messages.")
    int add(
            @Mixin AdminFlags flags,
            @Parameters(paramLabel = "NAME", description = "Its name for people.") String name,
            @Parameters(
                            paramLabel = "URL",
                            description = "The address that messages are posted to.")
                    String url,
            @Option(
                            names = "--kind",
                            paramLabel = "KIND",
                            defaultValue = "generic",
                            completionCandidates = Kinds.class,
                            description =
                                    "How messages are put: ${COMPLETION-CANDIDATES} (default: generic, signed JSON).")
                    String kind,
            @Option(
                            names = "--about",
                            paramLabel = "TOPIC",
                            split = ",",
                            description =
                                    "Alerts (AGENT_OFFLINE, JOB_FAILED, …) and events (job_run.done, host.offline, …) that it receives, separated by commas (default: all alerts).")
                    List<String> topics) {
        Map<String, Object> wanted =
                Map.of(
                        "kind",
                        kind,
                        "name",
                        name,
                        "url",
                        url,
                        "topics",
                        topics == null ? List.of() : topics.stream().map(String::strip).toList());
        return flags.askHub(
                context,
                api -> {
                    Answer answer = api.post(flags.path("webhooks"), wanted);
                    String id = answer.fields().object("webhook").orElseThrow().text("id");
                    return flags.say(
                            context,
                            answer,
                            answer.fields().optionalText("secret").orElse("added as " + id));
                });
    }

    @Command(
            name = "test",
            mixinStandardHelpOptions = true,
            description = "Sends a test message now and prints the outcome.")
    int test(@Mixin AdminFlags flags, @Parameters(paramLabel = "ID") String id) {
        return flags.askHub(
                context,
                api -> {
                    Answer answer = api.post(flags.path("webhooks", id, "test"), Map.of());
                    JsonFields fared = answer.fields();
                    if (!fared.text("state").equals("done")) {
                        throw new SkepException(
                                ErrorCode.DELIVERY_FAILED,
                                "the message did not arrive: " + fared.shown("lastError"));
                    }
                    return flags.say(
                            context, answer, "it was taken with " + fared.number("lastStatus"));
                });
    }

    @Command(
            name = "deliveries",
            mixinStandardHelpOptions = true,
            description = "Lists the latest messages and the outcome of each.")
    int deliveries(@Mixin AdminFlags flags, @Parameters(paramLabel = "ID") String id) {
        return flags.askHub(
                context,
                api ->
                        flags.list(
                                context,
                                api.get(flags.path("webhooks", id, "deliveries")),
                                "deliveries",
                                "createdAt",
                                "topic",
                                "state",
                                "tries",
                                "lastStatus",
                                "lastError"));
    }

    @Command(name = "remove", mixinStandardHelpOptions = true, description = "Removes one.")
    int remove(@Mixin AdminFlags flags, @Parameters(paramLabel = "ID") String id) {
        return flags.askHub(
                context,
                api ->
                        flags.say(
                                context,
                                api.delete(flags.path("webhooks", id)),
                                id + " is removed"));
    }

    /** The kinds a hub of this version knows. */
    private static final class Kinds implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Webhook.Kind.labels().iterator();
        }
    }
}
