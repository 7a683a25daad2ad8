package dev.skep.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.doctor.Finding.Level;
import dev.skep.shell.Isolation;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class JudgingTest {
    @Test
    void a_clock_is_judged_by_how_far_it_is_off_either_way() {
        assertThat(clock(Duration.ofSeconds(2))).isEqualTo(Level.OK);
        assertThat(clock(Duration.ofSeconds(-90))).isEqualTo(Level.WARNING);
        assertThat(clock(Duration.ofHours(1))).isEqualTo(Level.PROBLEM);
        assertThat(HubCheck.judge("https://hub", Duration.ofHours(-2)).line())
                .contains("120 min behind that of https://hub")
                .contains("timedatectl");
    }

    @Test
    void little_space_is_a_warning_and_hardly_any_a_problem() {
        assertThat(disk(20L << 30)).isEqualTo(Level.OK);
        assertThat(disk(500L << 20)).isEqualTo(Level.WARNING);
        assertThat(disk(50L << 20)).isEqualTo(Level.PROBLEM);
    }

    @Test
    void shells_that_run_as_root_are_named_as_such() {
        var none = new Isolation.None("nothing works here");
        assertThat(ShellCheck.judge(none, "root").line()).contains("shells run as root");
        assertThat(ShellCheck.judge(none, "ada").level()).isEqualTo(Level.WARNING);
        assertThat(ShellCheck.judge(new Isolation.OwnUser(60_700, true), "root").level())
                .isEqualTo(Level.OK);
    }

    @Test
    void jobs_that_run_as_root_are_named_as_such() {
        var none = new Isolation.None("user 60701 cannot enter /root");
        assertThat(ShellCheck.judgeJobs(none, "root").line())
                .contains("jobs and servers run as root", "cannot enter /root");
        assertThat(ShellCheck.judgeJobs(none, "ada").level()).isEqualTo(Level.WARNING);
        assertThat(ShellCheck.judgeJobs(new Isolation.OwnUser(60_700, false), "root").line())
                .contains("a user of their own");
    }

    @Test
    void jobs_that_are_to_run_as_the_runner_are_shown_with_the_way_back() {
        assertThat(ShellCheck.asRunner("root").line())
                .contains("jobs and servers run as root without isolation", "--jobs-user");
        assertThat(ShellCheck.asRunner("root").level()).isEqualTo(Level.WARNING);
    }

    private static Level clock(Duration ahead) {
        return HubCheck.judge("https://hub", ahead).level();
    }

    private static Level disk(long free) {
        return DiskCheck.judge(Path.of("data"), free, 100L << 30).level();
    }
}
