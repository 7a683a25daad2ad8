package dev.skep.cli.command;

import dev.skep.cli.admin.AdminApi;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.runner.terminal.DiffText;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntBiFunction;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands about agents' files share: an agent here, or of a host by the hub. */
final class AgentFileCall {
    private static final int LONGEST_FILE = 1 << 20;

    @Mixin private AdminFlags flags = new AdminFlags();

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description =
                    "Its host, by name or id, through the hub of this data dir; this machine if left out.")
    private String host = "";

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why, for who reads the versions.")
    private String reason = "";

    private boolean isHere() {
        return host.isEmpty();
    }

    /** The path of an agent, with what follows it. */
    @FunctionalInterface
    private interface Place {
        String path(String rest);
    }

    private int with(
            CommandContext context, String name, ToIntBiFunction<AdminApi, Place> command) {
        return isHere()
                ? flags.askHost(
                        context,
                        api ->
                                command.applyAsInt(
                                        api,
                                        rest ->
                                                "/api/runner/agents/%s%s"
                                                        .formatted(
                                                                AdminFlags.encoded(name),
                                                                rest.isEmpty() ? "/file" : rest)))
                : flags.askHub(
                        context,
                        api -> {
                            String agent = flags.path("agents", agentId(api, name));
                            return command.applyAsInt(api, rest -> agent + rest);
                        });
    }

    private String agentId(AdminApi api, String name) {
        String hostId = new FleetLookup(api, flags).host(host).text("id");
        List<JsonFields> meant =
                api.get(flags.path("view", "agents")).fields().list("rows").stream()
                        .filter(agent -> agent.shown("host").equals(hostId))
                        .filter(
                                agent ->
                                        agent.shown("username").equals(name)
                                                || agent.shown("id").equals(name))
                        .toList();
        if (meant.size() == 1) {
            return meant.getFirst().text("id");
        }
        throw new SkepException(
                ErrorCode.NOT_FOUND,
                meant.isEmpty()
                        ? "there is no agent '%s' on host %s; the hub's Agents page lists them"
                                .formatted(name, host)
                        : "host %s had %d agents '%s'; name one by its id"
                                .formatted(host, meant.size(), name));
    }

    /** Makes an agent of a file. */
    int create(CommandContext context, String where, String file) {
        Map<String, Object> body = body();
        body.put("file", file);
        if (isHere() && where.isEmpty()) {
            return flags.askHost(
                    context, api -> told(context, api.post("/api/runner/files", body)));
        }
        Map.of("host", host, "where", where)
                .forEach(
                        (key, value) -> {
                            if (!value.isEmpty()) {
                                body.put(key, value);
                            }
                        });
        return flags.askHub(context, api -> told(context, api.post(flags.path("agents"), body)));
    }

    /** Makes an agent of this host from what the usual file needs. */
    int createHere(CommandContext context, String where, Map<String, ?> wanted) {
        if (!isHere() || !where.isEmpty()) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "for another host give the whole file with --file; 'skep agents versions NAME --show N' prints one to begin with");
        }
        return flags.askHost(
                context,
                api -> {
                    Answer answer = api.post("/api/runner/agents", wanted);
                    return flags.say(context, answer, answer.fields().shown("message"));
                });
    }

    /**
     * Changes an agent's file.
     *
     * @param text makes the new text of the one that is there
     */
    int edit(CommandContext context, String name, boolean restart, UnaryOperator<String> text) {
        return with(
                context,
                name,
                (api, place) -> {
                    JsonFields version = version(name, api.get(place.path("")).fields());
                    String before = file(version);
                    String after = text.apply(before);
                    if (after.equals(before)) {
                        context.err().println("nothing changed");
                        return ExitStatus.OK.status();
                    }
                    return put(context, api, place, version, after, restart);
                });
    }

    private int put(
            CommandContext context,
            AdminApi api,
            Place place,
            JsonFields version,
            String file,
            boolean restart) {
        Map<String, Object> body = body();
        body.put("file", file);
        body.put("version", version.text("version"));
        if (restart) {
            body.put("restart", true);
        }
        return told(context, api.call(HttpMethod.PUT, place.path(""), body));
    }

    /** Gives an agent the text of an older version. */
    int rollBack(CommandContext context, String name, long number, boolean restart) {
        return with(
                context,
                name,
                (api, place) -> {
                    String old = file(api.get(place.path("/versions/" + number)).fields());
                    if (reason.isEmpty()) {
                        reason = "back to version " + number;
                    }
                    JsonFields newest = version(name, api.get(place.path("")).fields());
                    return put(context, api, place, newest, old, restart);
                });
    }

    int remove(CommandContext context, String name, boolean discardWork) {
        if (isHere()) {
            return flags.askHost(
                    context,
                    api -> {
                        Answer answer =
                                api.post(
                                        "/api/runner/agents/%s/remove"
                                                .formatted(AdminFlags.encoded(name)),
                                        discardWork ? Map.of("discardWork", true) : Map.of());
                        return flags.say(context, answer, answer.fields().shown("message"));
                    });
        }
        return with(
                context,
                name,
                (api, place) -> {
                    Map<String, Object> body = body();
                    body.put(
                            "version",
                            version(name, api.get(place.path("")).fields()).text("version"));
                    if (discardWork) {
                        body.put("discardWork", true);
                    }
                    return told(context, api.call(HttpMethod.DELETE, place.path(""), body));
                });
    }

    int versions(CommandContext context, String name) {
        return with(
                context,
                name,
                (api, place) ->
                        flags.list(
                                context,
                                api.get(place.path("/versions")),
                                "versions",
                                new TextTable("VERSION", "WHEN", "WHO", "WHY"),
                                version ->
                                        new Object[] {
                                            version.shown("number"),
                                            RunnerCall.time(version, "createdAt"),
                                            version.shown("author"),
                                            version.shown("reason")
                                        }));
    }

    /** Prints one version's text as it is. */
    int show(CommandContext context, String name, long number) {
        return with(
                context,
                name,
                (api, place) -> {
                    Answer answer = api.get(place.path("/versions/" + number));
                    if (flags.json()) {
                        return AdminFlags.raw(context, answer);
                    }
                    context.out().print(file(answer.fields()));
                    return ExitStatus.OK.status();
                });
    }

    /** Prints what changed from one version to another. */
    int diff(CommandContext context, String name, long from, long to) {
        return with(
                context,
                name,
                (api, place) -> {
                    JsonFields before = api.get(place.path("/versions/" + from)).fields();
                    JsonFields after = api.get(place.path("/versions/" + to)).fields();
                    List<String> lines = DiffText.of(file(before), file(after));
                    if (flags.json()) {
                        context.out()
                                .println(Json.text(Map.of("from", from, "to", to, "lines", lines)));
                        return ExitStatus.OK.status();
                    }
                    context.out().printf("--- %s, version %d%n", name, from);
                    context.out().printf("+++ %s, version %d%n", name, to);
                    lines.forEach(context.out()::println);
                    return ExitStatus.OK.status();
                });
    }

    private Map<String, Object> body() {
        Map<String, Object> body = new HashMap<>();
        if (!reason.isEmpty()) {
            body.put("reason", reason);
        }
        return body;
    }

    private static JsonFields version(String name, JsonFields agent) {
        return Optional.of(agent)
                .flatMap(fields -> fields.object("version"))
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.CONFLICT,
                                        "the host of %s has told no version of its file yet; it does when it runs this version of Skep and is connected"
                                                .formatted(name)));
    }

    private static String file(JsonFields version) {
        return version.longText("file", LONGEST_FILE);
    }

    /** What came of it: done, or waiting for its host. */
    private int told(CommandContext context, Answer answer) {
        JsonFields said = answer.fields();
        String message = said.shown("message");
        return flags.say(
                context,
                answer,
                said.shown("outcome").equals("pending")
                        ? "%s: job %s".formatted(message, said.shown("jobId"))
                        : said.has("number")
                                ? "%s, version %s".formatted(message, said.shown("number"))
                                : message);
    }
}
