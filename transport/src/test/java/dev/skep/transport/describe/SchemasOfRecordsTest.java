package dev.skep.transport.describe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.transport.route.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SchemasOfRecordsTest {
    private enum Colour {
        RED,
        DARK_BLUE
    }

    private record Leaf(String word, @Nullable Leaf next) {}

    private record Page<T>(List<T> rows, @Nullable String next) {}

    private record All(
            String text,
            int small,
            @Nullable Long large,
            Instant at,
            Colour colour,
            Map<String, Integer> counts,
            Page<Leaf> page,
            @Nullable Object anything) {}

    private static final class Elsewhere {
        private record Leaf(int number) {}
    }

    @Test
    void what_may_be_null_is_not_required_and_everything_has_its_type() {
        Schemas schemas = new Schemas();
        assertThat(Json.text(schemas.of(All.class)))
                .isEqualTo("{\"$ref\":\"#/components/schemas/SchemasOfRecordsTestAll\"}");
        var all = Json.fields(Json.text(schemas.components())).object("SchemasOfRecordsTestAll");
        assertThat(all.orElseThrow().textList("required"))
                .containsExactly("text", "small", "at", "colour", "counts", "page");
        var properties = all.flatMap(each -> each.object("properties")).orElseThrow();
        assertThat(properties.object("large").orElseThrow().textList("type"))
                .containsExactly("integer", "null");
        assertThat(properties.object("at").orElseThrow().text("format")).isEqualTo("date-time");
        assertThat(properties.object("colour").orElseThrow().textList("enum"))
                .containsExactly("red", "dark_blue");
        assertThat(properties.object("page").orElseThrow().text("$ref"))
                .endsWith("/LeafSchemasOfRecordsTestPage");
        assertThat(properties.json("anything")).contains("{}");
    }

    @Test
    void a_record_that_contains_itself_is_described_once() {
        Schemas schemas = new Schemas();
        schemas.of(Leaf.class);
        assertThat(schemas.components()).hasSize(1);
    }

    @Test
    void two_records_of_one_name_are_refused_with_both() {
        Schemas schemas = new Schemas();
        schemas.of(SecondRoutes.Named.class);
        assertThatThrownBy(() -> schemas.of(FirstRoutes.Named.class))
                .hasMessageContaining("two records are called Named");
        assertThat(schemas.of(Elsewhere.Leaf.class).toString()).contains("ElsewhereLeaf");
    }

    private static final class SecondRoutes {
        private record Named(int number) {}
    }

    private static final class FirstRoutes {
        private record Named(String word) {}
    }
}
