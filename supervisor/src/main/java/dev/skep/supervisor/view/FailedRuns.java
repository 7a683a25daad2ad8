package dev.skep.supervisor.view;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Jobs that failed, those that failed alike as one: forty lines of the same hide the rest. */
final class FailedRuns {
    private FailedRuns() {}

    /** What failures shown as one have in common. */
    private record FailureGroup(
            String type, String status, @Nullable String summary, @Nullable String problem) {}

    /**
     * One thing for each way to fail, the newest first.
     *
     * @param newestFirst all of one status
     * @param mayBeMore whether there were more than were read
     * @param names what people call a host
     */
    static List<AttentionView> inGroups(
            List<JobView> newestFirst, boolean mayBeMore, UnaryOperator<String> names) {
        Map<FailureGroup, List<JobView>> groups = new LinkedHashMap<>();
        for (JobView job : newestFirst) {
            var failureGroup =
                    new FailureGroup(job.type(), job.status(), job.summary(), job.problem());
            groups.computeIfAbsent(failureGroup, _ -> new ArrayList<>()).add(job);
        }
        return groups.values().stream().map(group -> summary(group, mayBeMore, names)).toList();
    }

    private static AttentionView summary(
            List<JobView> group, boolean mayBeMore, UnaryOperator<String> names) {
        JobView newest = group.getFirst();
        long hosts = group.stream().map(JobView::host).distinct().count();
        boolean many = group.size() > 1;
        return new AttentionView(
                "run:" + newest.id(),
                "run",
                "bad",
                newest.id(),
                "%s %s%s on %s"
                        .formatted(
                                newest.type(),
                                newest.status().replace('_', ' '),
                                many ? " %d%s times".formatted(group.size(), more(mayBeMore)) : "",
                                hosts > 1 ? hosts + " hosts" : names.apply(newest.host())),
                detail(newest),
                newest.finishedAt(),
                many ? among(newest, hosts) : Map.of());
    }

    private static String more(boolean mayBeMore) {
        return mayBeMore ? " or more" : "";
    }

    private static Map<String, String> among(JobView newest, long hosts) {
        Map<String, String> among = new TreeMap<>();
        among.put("status", newest.status());
        among.put("q", summary(newest).isEmpty() ? newest.type() : summary(newest));
        if (hosts == 1) {
            among.put("host", newest.host());
        }
        return among;
    }

    private static String detail(JobView job) {
        if (job.problem() == null) {
            return summary(job);
        }
        return summary(job).isEmpty() ? job.problem() : summary(job) + ": " + job.problem();
    }

    private static String summary(JobView job) {
        return Objects.requireNonNullElse(job.summary(), "");
    }
}
