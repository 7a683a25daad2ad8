package dev.skep.dispatch.output;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.RunId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Column;
import dev.skep.store.BulkInsert;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.wire.call.OutputChunk;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table {@code job_output}. */
public final class OutputStore {
    /** A run's output ends here; its host keeps the tail for the last piece. */
    public static final int MOST_CHUNKS = 5_000;

    private static final BulkInsert INSERT =
            new BulkInsert(
                    "job_output",
                    List.of(
                            Column.text("run_id"),
                            Column.integer("n"),
                            Column.text("stream"),
                            Column.text("text")),
                    "ON CONFLICT (run_id, n) DO NOTHING");

    /** Stores pieces of a run that is this host's; false if it is not. */
    public boolean append(
            Transaction transaction, Principal.Host host, RunId run, List<OutputChunk> chunks) {
        boolean theirs =
                transaction
                        .first(
                                "SELECT 1 FROM job_runs WHERE id = ? AND host_id = ? AND org_id = ?",
                                row -> true,
                                run.value(),
                                host.id().value(),
                                host.org().value())
                        .isPresent();
        if (!theirs) {
            return false;
        }
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (OutputChunk chunk : chunks) {
            if (chunk.n() >= 0 && chunk.n() < MOST_CHUNKS) {
                String text = chunk.text();
                rows.add(
                        new @Nullable Object[] {
                            run.value(),
                            chunk.n(),
                            chunk.stream(),
                            text.substring(0, Math.min(OutputChunk.LONGEST, text.length()))
                        });
            }
        }
        if (!rows.isEmpty()) {
            transaction.insertAll(INSERT, rows);
        }
        return true;
    }

    /** Pieces after one, in order; a run of another org has none. */
    public List<OutputChunk> after(
            Snapshot snapshot, Principal principal, RunId run, long n, int limit) {
        return snapshot.list(
                """
                SELECT o.n, o.stream, o.text FROM job_output o
                JOIN job_runs r ON r.id = o.run_id
                WHERE o.run_id = ? AND r.org_id = ? AND o.n > ? ORDER BY o.n LIMIT ?\
                """,
                row -> new OutputChunk(row.number("n"), row.text("stream"), row.text("text")),
                run.value(),
                principal.org().value(),
                n,
                limit);
    }

    /** What all runs of a job printed; their ids begin with its own. */
    public void deleteOf(Transaction transaction, JobId job) {
        transaction.update(
                "DELETE FROM job_output WHERE run_id >= ? AND run_id < ?", job + "-", job + "-~");
    }
}
