package dev.skep.models.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReadingYamlFilesTest {
    enum Colour {
        RED,
        DARK_BLUE
    }

    record Part(String name, @DefaultsTo("1") int count) {
        Part {
            if (count < 1) {
                throw new IllegalArgumentException("count: must be at least 1");
            }
        }
    }

    record Thing(
            String name,
            @Nullable String note,
            @DefaultsTo("30s") Duration timeLimit,
            @DefaultsTo("dark_blue") Colour colour,
            @DefaultsTo("false") boolean bigOne,
            List<String> tags,
            Map<String, Long> sizes,
            List<Part> parts) {}

    @Test
    void what_is_not_written_has_its_default() {
        assertThat(value("name: chair"))
                .isEqualTo(
                        new Thing(
                                "chair",
                                null,
                                Duration.ofSeconds(30),
                                Colour.DARK_BLUE,
                                false,
                                List.of(),
                                Map.of(),
                                List.of()));
    }

    @Test
    void lists_maps_and_nested_records_are_read() {
        Thing thing =
                value(
                        """
                        name: chair
                        time_limit: 5m
                        colour: red
                        big_one: yes
                        tags: [a, b]
                        sizes: { height: 1_000 }
                        parts:
                          - name: leg
                            count: 4
                        """);
        assertThat(thing.timeLimit()).isEqualTo(Duration.ofMinutes(5));
        assertThat(thing.tags()).containsExactly("a", "b");
        assertThat(thing.sizes()).containsEntry("height", 1000L);
        assertThat(thing.parts()).containsExactly(new Part("leg", 4));
    }

    @Test
    void every_problem_of_a_file_is_named_with_place_key_and_fix() {
        assertThat(
                        problems(
                                """
                                nmae: chair
                                time_limit: soon
                                colour: green
                                tags: a
                                parts:
                                  - name: leg
                                    count: 0
                                """))
                .containsExactlyInAnyOrder(
                        "t.yaml:1:1: nmae: is not a known key; did you mean 'name'?",
                        "t.yaml:1:1: name: is missing; add it",
                        "t.yaml:2:13: time_limit: 'soon' is not a length of time; write for example 30s, 5m, 2h or 1d",
                        "t.yaml:3:9: colour: 'green' is none of red, dark_blue",
                        "t.yaml:4:7: tags: needs a list, each entry on a line that starts with '- '",
                        "t.yaml:7:12: parts[0].count: must be at least 1");
    }

    @Test
    void a_key_that_is_there_twice_is_a_problem() {
        assertThat(problems("name: a\nname: b\n"))
                .containsExactly("t.yaml:2:1: name: is there twice; keep one");
    }

    @Test
    void text_that_is_not_yaml_is_named_by_line_and_column() {
        assertThat(problems("name: [a\nnote: b"))
                .singleElement()
                .asString()
                .startsWith("t.yaml:2:")
                .contains("is not valid YAML");
        assertThat(problems("")).containsExactly("t.yaml:1:1: is empty; it needs keys and values");
    }

    @Test
    void what_nests_without_end_is_refused_and_exhausts_nothing() {
        assertThat(problems("name: " + "[".repeat(60_000)))
                .containsExactly("t.yaml:1:1: is not valid YAML: it nests deeper than 50 levels");
    }

    @Test
    void the_schema_names_every_key_with_its_default() {
        assertThat(JsonSchema.of(Thing.class, "thing"))
                .contains("\"required\": [\"name\"]")
                .contains(
                        "\"time_limit\"",
                        "\"default\": \"30s\"",
                        "\"enum\": [\"red\", \"dark_blue\"]")
                .contains("\"additionalProperties\": false");
    }

    private static Thing value(String text) {
        BindingResult<Thing> bindingResult = YamlBinder.parse("t.yaml", text, Thing.class);
        assertThat(bindingResult).isInstanceOf(BindingResult.Value.class);
        return ((BindingResult.Value<Thing>) bindingResult).value();
    }

    private static List<String> problems(String text) {
        BindingResult<Thing> bindingResult = YamlBinder.parse("t.yaml", text, Thing.class);
        assertThat(bindingResult).isInstanceOf(BindingResult.Problems.class);
        return ((BindingResult.Problems<Thing>) bindingResult)
                .problems().stream().map(YamlProblem::toString).toList();
    }
}
