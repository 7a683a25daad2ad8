package dev.skep.runner.approval;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtectingFromCommandsTest {
    private final Protection manual =
            new Protection(Protection.Mode.MANUAL, List.of("ls *", "git status"), List.of("rm *"));

    @ParameterizedTest
    @ValueSource(strings = {"ls -l", "git status", "ls a | ls b", "  ls   -l  "})
    void what_the_list_allows_runs(String command) {
        assertThat(manual.evaluate(command)).isInstanceOf(Protection.Verdict.Run.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git push",
                "ls -l; git push",
                "ls $(git push)",
                "ls `git push`",
                "ls x > y",
                "ls ${x@P}",
                "ls a\ngit push",
                "ls a & git push",
                "lsof"
            })
    void what_hides_another_command_behind_an_allowed_one_asks(String command) {
        assertThat(manual.evaluate(command)).isInstanceOf(Protection.Verdict.Ask.class);
    }

    @Test
    void a_rule_without_a_star_allows_the_very_command_whatever_is_in_it() {
        String spelled = "git fetch && git diff > x; echo $(date)";
        manual.alsoAllow(spelled);
        assertThat(manual.evaluate(" " + spelled + "\n"))
                .isInstanceOf(Protection.Verdict.Run.class);
        assertThat(manual.evaluate(spelled + " y")).isInstanceOf(Protection.Verdict.Ask.class);
        assertThat(manual.evaluate("echo $(date)")).isInstanceOf(Protection.Verdict.Ask.class);
        assertThat(manual.evaluate("git fetch")).isInstanceOf(Protection.Verdict.Ask.class);
        manual.alsoAllow("rm x");
        assertThat(manual.evaluate("rm x")).isInstanceOf(Protection.Verdict.Refuse.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rm x", "ls && rm x", "true\nrm x"})
    void what_is_denied_never_runs_in_any_mode(String command) {
        Protection none = new Protection(Protection.Mode.NONE, List.of(), List.of("rm *"));
        assertThat(manual.evaluate(command)).isEqualTo(new Protection.Verdict.Refuse("rm *"));
        assertThat(none.evaluate(command)).isEqualTo(new Protection.Verdict.Refuse("rm *"));
    }
}
