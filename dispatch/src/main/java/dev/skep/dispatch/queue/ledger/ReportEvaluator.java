package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.job.RunTransition;
import dev.skep.dispatch.queue.ReportResult;
import dev.skep.dispatch.queue.RunReport;
import dev.skep.kernel.identity.Principal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides for each report, from the stored state of its run, whether it applies; writes nothing.
 */
final class ReportEvaluator {
    private final RunRules rules;
    private final Map<RunId, Run> runs;
    private final List<RunFinisher.RunEnd> runEnds = new ArrayList<>();
    private final List<@Nullable Object[]> late = new ArrayList<>();

    ReportEvaluator(RunRules rules, Map<RunId, Run> runs) {
        this.rules = rules;
        this.runs = new HashMap<>(runs);
    }

    ReportResult of(HostReport said) {
        RunReport report = said.report();
        Run run = runs.get(report.run());
        if (run == null || !isOf(said.host(), run)) {
            return ReportResult.UNKNOWN;
        }
        return switch (rules.reported(run, report.attempt(), report.outcome())) {
            case RunTransition.Ends ends -> {
                runEnds.add(new RunFinisher.RunEnd(run, ends, report.result()));
                runs.put(run.id(), withStatus(run, ends.status()));
                yield ReportResult.APPLIED;
            }
            case RunTransition.Repeated() -> ReportResult.REPEATED;
            case RunTransition.Late() -> {
                late.add(new @Nullable Object[] {report.result(), run.id().value()});
                yield ReportResult.LATE;
            }
        };
    }

    List<RunFinisher.RunEnd> endings() {
        return runEnds;
    }

    /** Result and run of what came too late. */
    List<@Nullable Object[]> late() {
        return late;
    }

    private static boolean isOf(Principal.Host host, Run run) {
        return run.host().equals(host.id()) && run.org().equals(host.org());
    }

    private static Run withStatus(Run run, RunStatus status) {
        return new Run(
                run.id(),
                run.org(),
                run.job(),
                run.host(),
                run.attempt(),
                status,
                run.priority(),
                run.cancelAsked(),
                run.failuresLeft(),
                run.lossesLeft());
    }
}
