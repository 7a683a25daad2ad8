package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.job.Verdict;
import dev.skep.dispatch.queue.Report;
import dev.skep.dispatch.queue.Settlement;
import dev.skep.kernel.identity.Principal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Judges reports one by one against the runs as they stand; decides only, writes nothing. */
final class Judgement {
    private final RunRules rules;
    private final Map<RunId, Run> runs;
    private final List<RunEndings.Ending> endings = new ArrayList<>();
    private final List<@Nullable Object[]> late = new ArrayList<>();

    Judgement(RunRules rules, Map<RunId, Run> runs) {
        this.rules = rules;
        this.runs = new HashMap<>(runs);
    }

    Settlement of(HostReport said) {
        Report report = said.report();
        Run run = runs.get(report.run());
        if (run == null || !isOf(said.host(), run)) {
            return Settlement.UNKNOWN;
        }
        return switch (rules.reported(run, report.attempt(), report.outcome())) {
            case Verdict.Ends ends -> {
                endings.add(new RunEndings.Ending(run, ends, report.result()));
                runs.put(run.id(), withStatus(run, ends.status()));
                yield Settlement.APPLIED;
            }
            case Verdict.Repeated() -> Settlement.REPEATED;
            case Verdict.Late() -> {
                late.add(new @Nullable Object[] {report.result(), run.id().value()});
                yield Settlement.LATE;
            }
        };
    }

    List<RunEndings.Ending> endings() {
        return endings;
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
