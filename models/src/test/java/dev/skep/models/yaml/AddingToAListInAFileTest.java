package dev.skep.models.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddingToAListInAFileTest {
    private static String with(String text, String entry) {
        return new YamlListText(text, "allow").with(entry).orElseThrow();
    }

    @Test
    void a_flow_list_grows_behind_its_last_entry() {
        assertThat(with("a: 1\nallow: [\"echo *\", ls]  # both\nb: 2\n", "git push"))
                .isEqualTo("a: 1\nallow: [\"echo *\", ls, \"git push\"]  # both\nb: 2\n");
        assertThat(with("allow: []\n", "x")).isEqualTo("allow: [\"x\"]\n");
        assertThat(with("allow: [ ] # none\n", "x")).isEqualTo("allow: [ \"x\"] # none\n");
        assertThat(with("allow: [a, b,]\n", "x")).isEqualTo("allow: [a, b, \"x\",]\n");
    }

    @Test
    void a_flow_list_over_several_lines_keeps_its_comments() {
        assertThat(
                        with(
                                """
                                allow: [
                                  "echo *",  # harmless
                                  "ls",      # too
                                ]
                                """,
                                "x"))
                .isEqualTo(
                        """
                        allow: [
                          "echo *",  # harmless
                          "ls", "x",      # too
                        ]
                        """);
    }

    @Test
    void a_block_list_gets_a_line_of_its_own_indentation() {
        assertThat(
                        with(
                                """
                                prompt: |
                                  hello
                                allow:
                                    # harmless
                                    - echo *   # prints
                                    - 'ls'     # lists

                                # never
                                deny:
                                  - rm *
                                """,
                                "git push"))
                .isEqualTo(
                        """
                        prompt: |
                          hello
                        allow:
                            # harmless
                            - echo *   # prints
                            - 'ls'     # lists
                            - "git push"

                        # never
                        deny:
                          - rm *
                        """);
        assertThat(with("allow:\n- a", "x")).isEqualTo("allow:\n- a\n- \"x\"");
        assertThat(with("allow:\n- a\nb: 1\n", "x")).isEqualTo("allow:\n- a\n- \"x\"\nb: 1\n");
    }

    @Test
    void an_entry_of_several_lines_is_not_cut() {
        String before = "allow:\n  - |\n    echo a\n    echo b\n\ndeny: []\n";
        assertThat(with(before, "x"))
                .contains("    echo a\n    echo b\n")
                .contains("  - \"x\"\n")
                .hasSize(before.length() + "  - \"x\"\n".length());
    }

    @Test
    void a_missing_list_is_added_at_the_end_unless_that_changes_what_is_there() {
        assertThat(with("a: 1 # one\n# the end\n", "x"))
                .isEqualTo("a: 1 # one\n# the end\nallow:\n  - \"x\"\n");
        assertThat(with("a: 1", "x")).isEqualTo("a: 1\nallow:\n  - \"x\"\n");
        assertThat(with("# top\nprompt: |\n  no end of line", "x"))
                .isEqualTo("# top\nallow:\n  - \"x\"\nprompt: |\n  no end of line");
        assertThat(with("---\na: 1\n...\n", "x")).isEqualTo("---\nallow:\n  - \"x\"\na: 1\n...\n");
    }

    @Test
    void a_key_without_a_list_gets_one() {
        assertThat(with("allow:  # none yet\nb: 1\n", "x"))
                .isEqualTo("allow: [\"x\"]  # none yet\nb: 1\n");
        assertThat(with("allow: null\n", "x")).isEqualTo("allow: [\"x\"]\n");
        assertThat(with("allow:", "x")).isEqualTo("allow: [\"x\"]");
    }

    @Test
    void the_line_ends_of_the_file_are_kept() {
        assertThat(with("a: 1\r\nallow:\r\n  - ls\r\n", "x"))
                .isEqualTo("a: 1\r\nallow:\r\n  - ls\r\n  - \"x\"\r\n");
        assertThat(with("a: 1\r\n", "x")).isEqualTo("a: 1\r\nallow:\r\n  - \"x\"\r\n");
    }

    @Test
    void what_is_no_list_of_its_own_is_left_alone() {
        for (String text :
                new String[] {
                    "allow: yes\n",
                    "allow: {a: b}\n",
                    "deny: &all [a]\nallow: *all\n",
                    "just text",
                    "",
                    "[a, b]",
                    "allow: [a",
                    "{a: 1}"
                }) {
            assertThat(new YamlListText(text, "allow").with("x")).as(text).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo \"it's\" \\n",
                "echo '#' # : - [x] {y} & ! | > % @ `id`",
                "printf 'a\nb'\n\tcat <<E\n\nE",
                "echo \u0000\u0001\u0007\u001b[31m\u007f\u0085\u2028\ufeff\u200b",
                "echo 😀 ä \t end ",
                "- a",
                "key: value",
                "null"
            })
    void whatever_is_in_an_entry_is_read_as_it_was_given(String entry) {
        for (String text : new String[] {"allow: [a]\n", "allow:\n  - a\n", "b: 1\n", "allow:\n"}) {
            String changed = with(text, entry);
            record File(java.util.List<String> allow, java.util.Map<String, String> b) {}
            assertThat(YamlBinder.parse("f", changed.replace("b: 1\n", ""), File.class))
                    .isInstanceOfSatisfying(
                            BindingResult.Value.class,
                            value -> assertThat(((File) value.value()).allow()).endsWith(entry));
        }
    }
}
