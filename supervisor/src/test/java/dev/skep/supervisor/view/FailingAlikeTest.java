package dev.skep.supervisor.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the overview says of jobs that failed. */
class FailingAlikeTest {
    private static final Instant NOW = Instant.parse("2026-11-15T14:00:00Z");

    private static JobView failed(int ago, String host, String summary) {
        Instant at = NOW.minusSeconds(ago);
        return new JobView(
                "job-" + ago,
                "shell",
                host,
                null,
                "timed_out",
                1,
                0,
                at,
                "maria",
                at,
                at,
                summary,
                null);
    }

    private static List<AttentionView> told(boolean mayBeMore, List<JobView> jobs) {
        return FailedRuns.inGroups(jobs, mayBeMore, id -> "host " + id);
    }

    @Test
    void sixteen_times_the_same_is_one_line_with_its_count_and_the_newest_time() {
        List<JobView> jobs =
                IntStream.range(0, 16).mapToObj(i -> failed(i, "h1", "backup")).toList();

        assertThat(told(false, jobs))
                .singleElement()
                .satisfies(
                        line -> {
                            assertThat(line.title())
                                    .isEqualTo("shell timed out 16 times on host h1");
                            assertThat(line.since()).isEqualTo(NOW);
                            assertThat(line.among())
                                    .isEqualTo(
                                            Map.of(
                                                    "status",
                                                    "timed_out",
                                                    "q",
                                                    "backup",
                                                    "host",
                                                    "h1"));
                        });
    }

    @Test
    void one_that_failed_alone_is_reported_as_itself() {
        assertThat(told(false, List.of(failed(0, "h1", "backup"), failed(5, "h1", "reindex"))))
                .extracting(AttentionView::title, AttentionView::subject, AttentionView::among)
                .containsExactly(
                        tuple("shell timed out on host h1", "job-0", Map.of()),
                        tuple("shell timed out on host h1", "job-5", Map.of()));
    }

    @Test
    void on_several_hosts_they_are_counted_and_the_list_is_not_narrowed_to_one() {
        List<JobView> jobs = List.of(failed(0, "h1", "backup"), failed(5, "h2", "backup"));

        assertThat(told(true, jobs))
                .singleElement()
                .satisfies(
                        line -> {
                            assertThat(line.title())
                                    .isEqualTo("shell timed out 2 or more times on 2 hosts");
                            assertThat(line.among()).doesNotContainKey("host");
                        });
    }
}
