package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What an org sets about its hosts and jobs. */
@Command(
        name = "settings",
        mixinStandardHelpOptions = true,
        description = {
            "Shows and changes what the org sets about its hosts and jobs. A change counts at once.",
            "Each can be 'usual': what every org gets."
        })
public final class SettingsCommand implements Callable<Integer> {
    private static final String USUAL = "usual";

    private final CommandContext context;
    @Mixin private AdminFlags flags = new AdminFlags();

    @Option(
            names = "--offline-after",
            paramLabel = "TIME",
            description = "How long a host may be silent before it is offline: 1m to 24h.")
    private Optional<String> offlineAfter = Optional.empty();

    @Option(
            names = "--job-lease",
            paramLabel = "TIME",
            description =
                    "How long a run belongs to its host without a heartbeat before it is lost: 30s to 1h.")
    private Optional<String> jobLease = Optional.empty();

    @Option(
            names = "--degraded-cpu",
            paramLabel = "PERCENT",
            description = "A host is degraded with more load than this; 100: never.")
    private Optional<String> cpu = Optional.empty();

    @Option(
            names = "--degraded-memory",
            paramLabel = "PERCENT",
            description = "A host is degraded with more memory in use than this; 100: never.")
    private Optional<String> memory = Optional.empty();

    @Option(
            names = "--degraded-disk",
            paramLabel = "PERCENT",
            description = "A host is degraded with more of its disk in use than this; 100: never.")
    private Optional<String> disk = Optional.empty();

    public SettingsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Map<String, @Nullable Object> changes = new LinkedHashMap<>();
        offlineAfter.ifPresent(t -> changes.put("offlineAfterSeconds", time("--offline-after", t)));
        jobLease.ifPresent(t -> changes.put("jobLeaseSeconds", time("--job-lease", t)));
        cpu.ifPresent(p -> changes.put("degradedCpuPercent", percent("--degraded-cpu", p)));
        memory.ifPresent(
                p -> changes.put("degradedMemoryPercent", percent("--degraded-memory", p)));
        disk.ifPresent(p -> changes.put("degradedDiskPercent", percent("--degraded-disk", p)));
        return flags.askHub(
                context,
                api -> {
                    String path = flags.path("settings");
                    Answer answer =
                            changes.isEmpty()
                                    ? api.get(path)
                                    : api.call(HttpMethod.PATCH, path, changes);
                    return flags.json()
                            ? AdminFlags.raw(context, answer)
                            : flags.lines(context, shown(answer.fields()));
                });
    }

    private static Map<String, String> shown(JsonFields fields) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("offline after", shown(fields, "offlineAfterSeconds", " s"));
        lines.put("job lease", shown(fields, "jobLeaseSeconds", " s"));
        lines.put("degraded cpu", shown(fields, "degradedCpuPercent", " %"));
        lines.put("degraded memory", shown(fields, "degradedMemoryPercent", " %"));
        lines.put("degraded disk", shown(fields, "degradedDiskPercent", " %"));
        return lines;
    }

    private static String shown(JsonFields fields, String name, String unit) {
        boolean isSet = fields.object("set").flatMap(set -> set.optionalNumber(name)).isPresent();
        return fields.shown(name) + unit + (isSet ? "" : " (usual)");
    }

    private static @Nullable Long time(String flag, String text) {
        return text.equals(USUAL) ? null : (Long) TimeText.seconds(flag, text);
    }

    private static @Nullable Long percent(String flag, String text) {
        if (text.equals(USUAL)) {
            return null;
        }
        try {
            return Long.valueOf(text.endsWith("%") ? text.substring(0, text.length() - 1) : text);
        } catch (NumberFormatException e) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "%s is \"%s\"; write a whole number, or usual".formatted(flag, text));
        }
    }
}
