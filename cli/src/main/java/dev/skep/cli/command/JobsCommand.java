package dev.skep.cli.command;

import dev.skep.cli.admin.AdminApi;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Work for hosts. */
@Command(
        name = "jobs",
        mixinStandardHelpOptions = true,
        description = "Lists jobs, newest first, and creates new ones.")
public final class JobsCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private AdminFlags bare = new AdminFlags();
    @Mixin private Filters filters = new Filters();

    public JobsCommand(CommandContext context) {
        this.context = context;
    }

    /** The words after a host belong to the command to run: its flags are not ours. */
    public static CommandLine line(CommandContext context) {
        CommandLine line = new CommandLine(new JobsCommand(context));
        Objects.requireNonNull(line.getSubcommands().get("run")).setStopAtPositional(true);
        return line;
    }

    /** Which jobs. */
    static final class Filters {
        @Option(names = "--host", paramLabel = "HOST", description = "Of this host only.")
        private String host = "";

        @Option(
                names = "--status",
                paramLabel = "STATUS",
                description =
                        "Only pending, running, succeeded, failed, cancelled, timed_out or lost.")
        private Optional<RunStatus> status = Optional.empty();

        @Option(names = "--limit", paramLabel = "N", description = "How many (default: 50).")
        private int limit = 50;
    }

    @Override
    public Integer call() {
        return list(bare, filters);
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists jobs, the newest first.")
    int list(@Mixin AdminFlags flags, @Mixin Filters wanted) {
        return flags.askHub(
                context,
                api -> {
                    var fleetLookup = new FleetLookup(api, flags);
                    Map<String, ?> query =
                            Map.of(
                                    "host",
                                    wanted.host.isEmpty()
                                            ? ""
                                            : fleetLookup.host(wanted.host).text("id"),
                                    "status",
                                    wanted.status.map(RunStatus::label).orElse(""),
                                    "limit",
                                    wanted.limit);
                    Answer answer = api.get(RunnerCall.path(flags.path("jobs"), query));
                    Map<String, String> hosts = fleetLookup.hosts();
                    return flags.list(
                            context,
                            answer,
                            "jobs",
                            new TextTable("ID", "STATUS", "HOST", "CREATED", "TYPE", "TASK"),
                            job ->
                                    new Object[] {
                                        job.shown("id"),
                                        job.shown("status").replace('_', ' '),
                                        hosts.getOrDefault(
                                                job.shown("hostId"), job.shown("hostId")),
                                        RunnerCall.time(job, "createdAt"),
                                        job.shown("type"),
                                        JobText.task(job)
                                    });
                });
    }

    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            description =
                    "Runs a command line on a host and shows its output; exits with 0 if it succeeded. "
                            + "Put flags before the host; Ctrl-C leaves the job running.")
    int run(
            @Mixin AdminFlags flags,
            @Mixin NewJobFlags terms,
            @Option(names = "--detach", description = "Print the job's id and do not wait.")
                    boolean detach,
            @Parameters(paramLabel = "HOST", description = "Its name or id.") String host,
            @Parameters(
                            paramLabel = "COMMAND",
                            arity = "1..*",
                            description = "The command line; the words are joined by spaces.")
                    List<String> words) {
        Map<String, Object> job = terms.job("shell", Map.of("command", JobText.line(words)));
        return flags.askHub(
                context,
                api -> {
                    JsonFields target = new FleetLookup(api, flags).host(host);
                    job.put("hostId", target.text("id"));
                    Answer created = api.post(flags.path("jobs"), job);
                    if (detach) {
                        return flags.say(context, created, created.fields().text("id"));
                    }
                    Answer ended =
                            new AwaitedJob(context, flags, api)
                                    .ended(
                                            target,
                                            created,
                                            flags.json() ? _ -> {} : new JobOutput(context));
                    if (flags.json()) {
                        AdminFlags.raw(context, ended);
                    }
                    AwaitedJob.requireSuccess(ended);
                    return ExitStatus.OK.status();
                });
    }

    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            description = "Creates a job of any type for a host and prints the job's id.")
    int create(
            @Mixin AdminFlags flags,
            @Mixin NewJobFlags terms,
            @Option(
                            names = "--payload",
                            paramLabel = "JSON",
                            defaultValue = "{}",
                            description = "What the type needs, a JSON object.")
                    String payload,
            @Option(
                            names = "--server",
                            paramLabel = "SERVER",
                            defaultValue = "",
                            description = "The server of this host that the job is about.")
                    String server,
            @Parameters(paramLabel = "HOST", description = "Its name or id.") String host,
            @Parameters(paramLabel = "TYPE", description = "Such as shell or agent.task.")
                    String type) {
        Map<String, Object> job = terms.job(type, NewJobFlags.payload(payload));
        return flags.askHub(
                context,
                api -> {
                    var fleetLookup = new FleetLookup(api, flags);
                    JsonFields target = fleetLookup.host(host);
                    job.put("hostId", target.text("id"));
                    if (!server.isEmpty()) {
                        job.put(
                                "serverInstanceId",
                                fleetLookup.serverOf(target, server).text("id"));
                    }
                    Answer created = api.post(flags.path("jobs"), job);
                    return flags.say(context, created, created.fields().text("id"));
                });
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Shows a job and all attempts at it.")
    int show(@Mixin AdminFlags flags, @Parameters(paramLabel = "ID") String id) {
        return flags.askHub(context, api -> new JobPrinter(context, flags, api).show(id));
    }

    @Command(
            name = "output",
            mixinStandardHelpOptions = true,
            description = "Shows what the newest run of a job printed.")
    int output(
            @Mixin AdminFlags flags,
            @Option(
                            names = {"-f", "--follow"},
                            description = "Keep showing output until the job is over.")
                    boolean follow,
            @Parameters(paramLabel = "ID") String id) {
        return flags.askHub(
                context,
                api -> {
                    JsonFields run =
                            api.get(flags.path("jobs", id)).fields().object("run").orElseThrow();
                    var followed = new FollowedJob(context, flags, api, run, pieces(flags));
                    if (follow) {
                        followed.untilOver();
                    } else {
                        followed.show(run);
                    }
                    return ExitStatus.OK.status();
                });
    }

    @Command(
            name = "cancel",
            mixinStandardHelpOptions = true,
            description = "Cancels a job; a running one ends with its host's next heartbeat.")
    int cancel(@Mixin AdminFlags flags, @Parameters(paramLabel = "ID") String id) {
        return flags.askHub(
                context,
                api -> {
                    Answer answer = post(flags, api, id, "cancel");
                    boolean over = RunStatus.of(answer.fields().text("status")).isOver();
                    return flags.say(
                            context,
                            answer,
                            over
                                    ? "job " + id + " is cancelled"
                                    : "job " + id + " ends with its host's next beat");
                });
    }

    @Command(
            name = "retry",
            mixinStandardHelpOptions = true,
            description = "Runs a finished job once more.")
    int retry(@Mixin AdminFlags flags, @Parameters(paramLabel = "ID") String id) {
        return flags.askHub(
                context,
                api -> {
                    Answer answer = post(flags, api, id, "retry");
                    return flags.say(context, answer, "job " + id + " runs once more");
                });
    }

    @Command(
            name = "policy",
            mixinStandardHelpOptions = true,
            description = "Shows and changes the org's policy for jobs.")
    int policy(
            @Mixin AdminFlags flags,
            @Option(
                            names = "--agents",
                            paramLabel = "TYPES",
                            description =
                                    "The types of job that agents' keys may create, separated by commas; "
                                            + "none for none. Types that steer agents cannot be granted.")
                    Optional<String> agents,
            @Option(
                            names = "--refuse-excess",
                            paramLabel = "YES|NO",
                            description =
                                    "Whether a job that would exceed its host's limits is refused instead of waiting.")
                    Optional<YesNo> refuseExcess) {
        Map<String, Object> changes = new TreeMap<>();
        agents.ifPresent(types -> changes.put("agentJobTypes", types(types)));
        refuseExcess.ifPresent(word -> changes.put("refuseExcess", word == YesNo.YES));
        return flags.askHub(
                context,
                api -> {
                    String path = flags.path("job-policy");
                    Answer policy =
                            changes.isEmpty()
                                    ? api.get(path)
                                    : api.call(HttpMethod.PATCH, path, changes);
                    if (flags.json()) {
                        return AdminFlags.raw(context, policy);
                    }
                    List<String> granted = policy.fields().textList("agentJobTypes");
                    Map<String, String> shown = new TreeMap<>();
                    shown.put(
                            "agents may ask",
                            granted.isEmpty() ? "nothing" : String.join(", ", granted));
                    shown.put("excess", policy.fields().flag("refuseExcess") ? "refused" : "waits");
                    return flags.lines(context, shown);
                });
    }

    /** A choice at the command line. */
    enum YesNo {
        YES,
        NO
    }

    private static List<String> types(String text) {
        return text.equals("none")
                ? List.of()
                : Arrays.stream(text.split("[,\\s]+", -1)).filter(t -> !t.isEmpty()).toList();
    }

    private Consumer<Answer> pieces(AdminFlags flags) {
        return flags.json() ? piece -> AdminFlags.raw(context, piece) : new JobOutput(context);
    }

    private static Answer post(AdminFlags flags, AdminApi api, String id, String verb) {
        return api.post(flags.path("jobs", id, verb), Map.of());
    }
}
