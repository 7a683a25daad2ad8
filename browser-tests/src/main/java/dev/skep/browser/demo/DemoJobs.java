package dev.skep.browser.demo;

import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.JobSource;
import dev.skep.supervisor.source.JobView;
import dev.skep.supervisor.source.OutputView;
import dev.skep.supervisor.source.RunView;
import dev.skep.supervisor.source.ServerSource;
import dev.skep.supervisor.source.ServerView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Jobs and servers in memory. Thread-safe. */
public final class DemoJobs implements JobSource, ServerSource {
    private static final List<String> STATUSES =
            List.of(
                    "succeeded",
                    "succeeded",
                    "running",
                    "succeeded",
                    "failed",
                    "succeeded",
                    "pending",
                    "succeeded",
                    "cancelled",
                    "timed_out",
                    "succeeded",
                    "pending");
    private static final List<String> SUMMARIES =
            List.of(
                    "backup.sh --incremental",
                    "reindex pages",
                    "tidy the inbox and report",
                    "restart search");

    /** From the start of one attempt to that of the next. */
    private static final Duration EACH = Duration.ofMinutes(2);

    private static final List<String> TYPES =
            List.of("shell", "shell", "agent.task", "server.restart");

    private final ConcurrentSkipListMap<String, JobView> jobs =
            new ConcurrentSkipListMap<>(Comparator.reverseOrder());
    private final Map<String, ServerView> servers = new TreeMap<>();

    DemoJobs(List<DemoHost> hosts, int count, UlidSource ids, Instant now) {
        for (int i = count; i > 0; i--) {
            String status = STATUSES.get(i % STATUSES.size());
            Instant created = now.minus(Duration.ofMinutes(i * 7L));
            int attempt = status.equals("failed") ? 3 : 1;
            Instant begun = created.plusMillis(40).plus(EACH.multipliedBy(attempt - 1L));
            boolean waits = status.equals("pending");
            boolean over = !waits && !status.equals("running");
            int type = (i + i / STATUSES.size()) % TYPES.size();
            JobView job =
                    new JobView(
                            ids.next(),
                            TYPES.get(type),
                            hosts.get(i % hosts.size()).id(),
                            null,
                            status,
                            attempt,
                            i % 5 == 0 ? 10 : 0,
                            created,
                            i % 4 == 0 ? "schedule" : "maria",
                            waits ? null : begun,
                            over ? begun.plusSeconds(3 + i % 90) : null,
                            SUMMARIES.get(type),
                            status.equals("failed") ? "exit status 2" : null);
            jobs.put(job.id(), job);
        }
        List<String> names = List.of("search", "web", "queue", "metrics");
        List<String> states = List.of("running", "running", "stopped", "running", "failed");
        for (int i = 0; i < (count == 0 ? 0 : 12); i++) {
            String id = ids.next();
            servers.put(
                    id,
                    new ServerView(
                            id,
                            names.get(i % 4) + "-" + (i / 4 + 1),
                            hosts.get(i * 2 % hosts.size()).id(),
                            states.get(i % 5),
                            "/opt/%s/bin/start --port %d".formatted(names.get(i % 4), 9000 + i),
                            now.minus(Duration.ofHours(3 + i * 11L))));
        }
    }

    private Stream<JobView> matching(Filter filter) {
        return jobs.values().stream()
                .filter(job -> filter.status().filter(s -> !s.equals(job.status())).isEmpty())
                .filter(job -> filter.host().filter(h -> !h.equals(job.host())).isEmpty());
    }

    @Override
    public List<JobView> newest(
            Principal principal, Filter filter, Optional<String> before, int limit) {
        return matching(filter)
                .filter(job -> before.isEmpty() || job.id().compareTo(before.get()) < 0)
                .limit(limit)
                .toList();
    }

    @Override
    public Map<String, Long> counts(Principal principal, Filter filter) {
        return matching(filter)
                .collect(
                        Collectors.groupingBy(
                                JobView::status, TreeMap::new, Collectors.counting()));
    }

    @Override
    public Optional<Detail> find(Principal principal, String id) {
        return Optional.ofNullable(jobs.get(id))
                .map(
                        job ->
                                new Detail(
                                        job,
                                        new Terms(3, 120L, null),
                                        "{\"command\":\"%s\"}".formatted(job.summary()),
                                        runs(job)));
    }

    private static List<RunView> runs(JobView job) {
        List<RunView> runs = new ArrayList<>();
        for (int attempt = job.attempt(); attempt > 0; attempt--) {
            boolean last = attempt == job.attempt();
            Duration earlier = EACH.multipliedBy(job.attempt() - attempt);
            runs.add(
                    new RunView(
                            job.id() + "-" + attempt,
                            attempt,
                            job.host(),
                            last ? job.status() : "failed",
                            minus(job.startedAt(), earlier),
                            minus(job.finishedAt(), earlier),
                            result(last ? job.status() : "failed")));
        }
        return runs;
    }

    private static @Nullable String result(String status) {
        return switch (status) {
            case "succeeded" -> "exit status 0";
            case "failed" -> "exit status 2";
            case "timed_out" -> "stopped after 120 s";
            default -> null;
        };
    }

    private static @Nullable Instant minus(@Nullable Instant instant, Duration by) {
        return instant == null ? null : instant.minus(by);
    }

    @Override
    public List<OutputView> output(Principal principal, String run, long after, int limit) {
        List<OutputView> all = new ArrayList<>();
        for (int i = 1; i <= 14; i++) {
            boolean wrong = i == 14;
            all.add(
                    new OutputView(
                            i,
                            wrong ? "stderr" : "stdout",
                            wrong
                                    ? "part 14 does not match its checksum, giving up\n"
                                    : "copied part %d of 14 (%d MB)\n".formatted(i, i * 37)));
        }
        return all.stream().filter(piece -> piece.n() > after).limit(limit).toList();
    }

    @Override
    public synchronized List<ServerView> all(Principal principal) {
        return List.copyOf(servers.values());
    }

    /** What a person asked of a job. */
    public boolean change(String id, String status, Instant now) {
        return jobs.computeIfPresent(
                        id,
                        (key, job) ->
                                new JobView(
                                        job.id(),
                                        job.type(),
                                        job.host(),
                                        job.server(),
                                        status,
                                        status.equals("pending")
                                                ? job.attempt() + 1
                                                : job.attempt(),
                                        job.priority(),
                                        job.createdAt(),
                                        job.createdBy(),
                                        status.equals("pending") ? null : job.startedAt(),
                                        status.equals("pending") ? null : now,
                                        job.summary(),
                                        null))
                != null;
    }

    JobView add(JobView job) {
        jobs.put(job.id(), job);
        return job;
    }

    synchronized boolean changeServer(String id, String state, Instant now) {
        return servers.computeIfPresent(
                        id,
                        (key, s) ->
                                new ServerView(s.id(), s.name(), s.host(), state, s.command(), now))
                != null;
    }
}
