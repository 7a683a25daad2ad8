package dev.skep.app.command;

import dev.skep.cli.command.CommandContext;
import org.jspecify.annotations.Nullable;

/** How far a command is that goes through a database: one bar after the other, each for a table. */
final class TableProgress implements AutoCloseable {
    private final CommandContext context;
    private String showing = "";
    private @Nullable ProgressPrinter shown;

    TableProgress(CommandContext context) {
        this.context = context;
    }

    /**
     * Shows it.
     *
     * @param what is done with the table, or the database it is in
     */
    void show(String what, String table, long done, long of) {
        String next = what + " " + table;
        if (shown == null || !next.equals(showing)) {
            close();
            showing = next;
            shown = new ProgressPrinter(context, next);
            shown.maxHint(of);
        }
        shown.stepTo(done);
    }

    @Override
    public void close() {
        if (shown != null) {
            shown.close();
            shown = null;
        }
    }
}
