package dev.skep.app.command;

import dev.skep.cli.command.CommandContext;
import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** How far a long command is: a bar on a terminal, a line now and then elsewhere. */
final class ProgressPrinter implements AutoCloseable {
    private static final long LINE_EVERY = 100_000;

    /** If the total is known, a line is printed per tenth, unless it takes only a moment. */
    private static final long SHORTEST_TENTH = 1_000;

    private final CommandContext context;
    private final String what;
    private final @Nullable ProgressBar bar;
    private long total = -1;

    ProgressPrinter(CommandContext context, String what) {
        this.context = context;
        this.what = what;
        this.bar = CommandContext.interactive() ? bar(what, System.err) : null;
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
        } else if (lines % lineEvery() == 0) {
            context.err().println(what + " " + lines + (total < 0 ? "" : " of " + total));
        }
    }

    private long lineEvery() {
        return total < 0 ? LINE_EVERY : Math.max(total / 10, SHORTEST_TENTH);
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
