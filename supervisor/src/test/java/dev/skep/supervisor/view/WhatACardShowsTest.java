package dev.skep.supervisor.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.supervisor.view.AskedDetail.Change;
import java.util.List;
import org.junit.jupiter.api.Test;

class WhatACardShowsTest {
    private static final AskedDetail NOTHING =
            new AskedDetail(null, null, null, null, List.of(), false);

    @Test
    void an_approvals_detail_is_shown_as_it_is() {
        assertThat(
                        AskedDetail.of(
                                """
                                {"title":"Edit a","kind":"edit","path":"a","command":"a",
                                 "diff":[{"path":"a","oldText":null,"newText":"x"}]}
                                """))
                .isEqualTo(
                        new AskedDetail(
                                "Edit a",
                                "edit",
                                "a",
                                "a",
                                List.of(new Change("a", "", "x")),
                                false));
    }

    @Test
    void of_a_tools_line_the_file_and_the_command_are_found_where_runtimes_put_them() {
        AskedDetail edit =
                AskedDetail.of(
                        """
                        {"toolCallId":"1","kind":"edit","title":"Edit a","locations":[{"path":"a","line":3}],
                         "diffs":[{"path":"a","oldText":"x","newText":"y"}]}
                        """);
        assertThat(edit.path()).isEqualTo("a");
        assertThat(edit.diff()).containsExactly(new Change("a", "x", "y"));
        AskedDetail run =
                AskedDetail.of("{\"kind\":\"execute\",\"input\":{\"command\":\"npm test\"}}");
        assertThat(run.command()).isEqualTo("npm test");
        assertThat(AskedDetail.of("{\"input\":[1]}")).isEqualTo(NOTHING);
        assertThat(AskedDetail.of("{\"input\":{\"command\":[\"a\"]}}")).isEqualTo(NOTHING);
    }

    @Test
    void what_is_too_long_for_a_card_is_left_to_the_log() {
        String change = "{\"path\":\"a\",\"oldText\":\"%s\",\"newText\":\"\"}";
        AskedDetail detail =
                AskedDetail.of(
                        "{\"title\":\"%s\",\"diff\":[%s,%s]}"
                                .formatted(
                                        "t".repeat(9_000),
                                        change.formatted("x"),
                                        change.formatted("y".repeat(20_000))));
        assertThat(detail.title()).hasSize(300);
        assertThat(detail.diff()).containsExactly(new Change("a", "x", ""));
        assertThat(detail.isLong()).isTrue();
    }

    @Test
    void what_another_program_wrote_in_another_shape_is_nothing() {
        for (String odd :
                List.of(
                        "",
                        "x",
                        "[]",
                        "7",
                        "{",
                        "{\"title\":{}}",
                        "{\"diff\":\"x\"}",
                        "{\"diff\":[1,[]]}")) {
            assertThat(AskedDetail.of(odd)).as(odd).isEqualTo(NOTHING);
        }
        assertThat(AskedDetail.of(null)).isEqualTo(NOTHING);
    }
}
