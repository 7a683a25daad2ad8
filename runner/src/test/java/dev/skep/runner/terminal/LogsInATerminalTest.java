package dev.skep.runner.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.runner.terminal.LogText.Look;
import dev.skep.runner.terminal.LogText.Shown;
import dev.skep.transport.route.Json;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogsInATerminalTest {
    private static List<Shown> shown(String type, String message, @Nullable String detail) {
        return LogText.of(type, message, Json.fieldsIfObject(detail));
    }

    private static List<String> texts(String type, String message, @Nullable String detail) {
        return shown(type, message, detail).stream().map(Shown::text).toList();
    }

    @Test
    void the_result_of_a_tool_shows_how_it_ended_and_what_changed() {
        assertThat(
                        shown(
                                "tool_result",
                                "1 line\n",
                                """
                                {"status":"failed","diffs":[{"path":"a","oldText":"x\\ny\\n","newText":"x\\nz\\n"}]}
                                """))
                .containsExactly(
                        new Shown("! failed", Look.ALARM),
                        new Shown("1 line", Look.PLAIN),
                        new Shown("a", Look.BOLD),
                        new Shown(" x", Look.FAINT),
                        new Shown("-y", Look.REMOVED),
                        new Shown("+z", Look.ADDED));
        assertThat(texts("tool_result", "fine", "{\"status\":\"completed\"}"))
                .containsExactly("fine");
    }

    @Test
    void a_plan_is_a_list_of_steps() {
        assertThat(
                        texts(
                                "plan",
                                "1 of 3",
                                """
                                {"entries":[{"content":"a","status":"completed"},{"content":"b","status":"in_progress"},{"content":"c"}]}
                                """))
                .containsExactly("[x] a", "[>] b", "[ ] c");
        assertThat(texts("plan", "1 of 3", "{\"entries\":7}")).containsExactly("1 of 3");
    }

    @Test
    void the_end_of_a_turn_is_told_only_with_a_reason_of_its_own() {
        assertThat(texts("turn_end", "", "{\"stopReason\":\"end_turn\"}")).isEmpty();
        assertThat(texts("turn_end", "", "{\"stopReason\":\"max_tokens\",\"why\":\"too long\"}"))
                .containsExactly("· the turn ended: max tokens: too long");
    }

    @Test
    void a_decision_says_that_it_holds_for_always_and_why() {
        assertThat(texts("decision", "approved by a", "{\"always\":true}"))
                .containsExactly("· approved by a, always from now on");
        assertThat(texts("decision", "denied by a", "{\"reason\":\"use bc\"}"))
                .containsExactly("· denied by a: use bc");
    }

    @Test
    void a_detail_that_is_no_object_is_as_none() {
        for (String odd : List.of("", "x", "[1]", "7", "{\"a\":")) {
            assertThat(texts("tool_result", "message", odd)).containsExactly("message");
        }
    }

    @Test
    void a_diff_shows_changes_with_a_few_lines_around_them() {
        List<String> old = IntStream.range(0, 20).mapToObj(i -> "l" + i).toList();
        String before = String.join("\n", old);
        assertThat(DiffText.of(before, before.replace("l10", "new")))
                .containsExactly(
                        "…", " l7", " l8", " l9", "-l10", "+new", " l11", " l12", " l13", "…");
        assertThat(DiffText.of(null, "a\n\nb\n")).containsExactly("+a", "+", "+b");
        assertThat(DiffText.of("a", null)).containsExactly("-a");
        assertThat(DiffText.of("same", "same")).isEmpty();
        String many =
                IntStream.range(0, 3_000).mapToObj(i -> "a" + i).collect(Collectors.joining("\n"));
        assertThat(DiffText.of(many, many.replace("a", "b"))).hasSize(6_000);
    }
}
