package dev.skep.cli.command;

import dev.skep.kernel.error.ExitStatus;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The audit log: who did what, to what, from where and when. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description =
                "Shows the audit log, newest first; export prints all of it, one JSON object per line.")
public final class AuditCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private AdminFlags flags = new AdminFlags();
    @Mixin private Filters filters = new Filters();

    /** Which entries. */
    static final class Filters {
        @Option(
                names = "--actor",
                paramLabel = "KIND:ID",
                defaultValue = "",
                description = "Only what this actor did, written as in the list.")
        private String actor = "";

        @Option(
                names = "--action",
                paramLabel = "WORD",
                defaultValue = "",
                description = "Only this action, such as host_enrolled.")
        private String action = "";

        @Option(
                names = "--target",
                paramLabel = "KIND:ID",
                defaultValue = "",
                description = "Only what was done to this target.")
        private String target = "";

        @Option(
                names = "--since",
                paramLabel = "TIME",
                defaultValue = "",
                description = "Such as 2026-11-15T08:00:00Z (default: ever).")
        private String since = "";

        @Option(
                names = "--until",
                paramLabel = "TIME",
                defaultValue = "",
                description = "The same (default: now).")
        private String until = "";

        String query() {
            return "?actor=%s&action=%s&target=%s&since=%s&until=%s"
                    .formatted(
                            AdminFlags.encoded(actor),
                            AdminFlags.encoded(action),
                            AdminFlags.encoded(target),
                            AdminFlags.encoded(since),
                            AdminFlags.encoded(until));
        }
    }

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many (default: 50).")
    private int limit;

    public AuditCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        String path = flags.path("audit") + filters.query() + "&limit=" + limit;
        return flags.ask(
                context,
                api ->
                        flags.list(
                                context,
                                api.get(path),
                                "entries",
                                "at",
                                "actor",
                                "action",
                                "target",
                                "from",
                                "detail"));
    }

    @Command(
            name = "export",
            mixinStandardHelpOptions = true,
            description = "Prints all entries in order, one JSON object per line.")
    int export(@Mixin AdminFlags ownFlags, @Mixin Filters ownFilters) {
        return ownFlags.ask(
                context,
                api -> {
                    api.download(
                            ownFlags.path("audit.ndjson") + ownFilters.query(),
                            new Lines(context.out()));
                    return ExitStatus.OK.status();
                });
    }

    /** Text that comes as bytes, a line at a time. */
    private static final class Lines extends OutputStream {
        private final PrintWriter out;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        Lines(PrintWriter out) {
            this.out = out;
        }

        @Override
        public void write(int b) {
            if (b == '\n') {
                out.println(line.toString(StandardCharsets.UTF_8));
                line.reset();
            } else {
                line.write(b);
            }
        }
    }
}
