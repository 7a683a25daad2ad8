package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.queue.ReportResult;
import java.util.List;

/**
 * What became of reports.
 *
 * @param settlements one per report, in their order
 * @param ended the runs that are over now
 * @param next the runs that follow them
 */
public record ReportBatch(
        List<ReportResult> settlements, List<FinishedRun> ended, List<RunStore.Pending> next) {}
