package dev.skep.app.command;

import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** How far a long command is: a bar on a terminal, a line now and then elsewhere. */
final class Progress implements AutoCloseable {
    private static final long LINE_EVERY = 100_000;

    private final CommandContext context;
    private final String what;
    private final @Nullable ProgressBar bar;
    private long total = -1;

    Progress(CommandContext context, String what) {
        this.context = context;
        this.what = what;
        this.bar = System.console() == null ? null : bar(what, System.err);
    }

    private static ProgressBar bar(String what, PrintStream err) {
        return new ProgressBarBuilder()
                .setTaskName(what)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis((int) Duration.ofMillis(200).toMillis())
                .setConsumer(new ConsoleProgressBarConsumer(err))
                .build();
    }

    void maxHint(long lines) {
        total = lines;
        if (bar != null) {
            bar.maxHint(lines);
        }
    }

    void stepTo(long lines) {
        if (bar != null) {
            bar.stepTo(lines);
        } else if (lines % LINE_EVERY == 0) {
            context.err().println(what + " " + lines + (total < 0 ? "" : " of " + total));
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
