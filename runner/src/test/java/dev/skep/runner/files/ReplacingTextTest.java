package dev.skep.runner.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.runner.files.TextEdit.Piece;
import dev.skep.runner.files.TextEdit.Result.Edited;
import dev.skep.runner.files.TextEdit.Result.Refused;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ReplacingTextTest {
    private static Edited edited(String text, String before, String after, boolean all) {
        return (Edited) TextEdit.of(text, before, after, all);
    }

    private static String refused(String text, String before, String after) {
        return ((Refused) TextEdit.of(text, before, after, false)).why();
    }

    @Test
    void the_only_occurrence_is_replaced_and_shown_with_its_whole_lines() {
        Edited edited = edited("one\ntwo words\nthree\n", "two", "2", false);
        assertThat(edited.text()).isEqualTo("one\n2 words\nthree\n");
        assertThat(edited.pieces()).containsExactly(new Piece(2, "two words\n", "2 words\n"));
        assertThat(edited("a\nb\nc", "a\nb\n", "", false))
                .isEqualTo(new Edited("c", 1, java.util.List.of(new Piece(1, "a\nb\n", ""))));
        assertThat(edited("last", "last", "end\n", false).pieces())
                .containsExactly(new Piece(1, "last", "end\n"));
    }

    @Test
    void several_occurrences_are_replaced_only_when_all_are_meant() {
        String text = "x = 1\ny = 1\nx = 1\n";
        assertThat(refused(text, "x = 1", "x = 2"))
                .isEqualTo(
                        "contains old_text 2 times, in lines 1, 3; give more of what is around it, or all: true");
        Edited all = edited(text, "x = 1", "x = 2", true);
        assertThat(all.text()).isEqualTo("x = 2\ny = 1\nx = 2\n");
        assertThat(all.times()).isEqualTo(2);
        // What was put in is not looked at again.
        assertThat(edited("aa", "a", "aa", true).text()).isEqualTo("aaaa");
    }

    @Test
    void what_is_not_there_to_the_last_space_is_not_replaced() {
        assertThat(refused("a  b", "a b", "c")).startsWith("does not contain old_text");
        assertThat(refused("a", "a", "a")).isEqualTo("old_text and new_text are the same");
    }

    @Test
    void a_file_keeps_the_line_ends_it_has() {
        assertThat(edited("a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n", false).text())
                .isEqualTo("x\r\ny\r\nz\r\nc\r\n");
        // One that mixes them is taken as it is.
        assertThat(edited("a\r\nb\nc\n", "b\nc", "d", false).text()).isEqualTo("a\r\nd\n");
    }

    @Test
    void what_is_no_text_is_not_edited() {
        assertThat(TextEdit.text("grün".getBytes(StandardCharsets.UTF_8))).contains("grün");
        assertThat(TextEdit.text("grün".getBytes(StandardCharsets.ISO_8859_1))).isEmpty();
        assertThat(TextEdit.text(new byte[] {'a', 0, 'b'})).isEmpty();
    }
}
