package dev.skep.transport.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.SkepException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodiesAsRecordsTest {
    private enum Colour {
        RED,
        DARK_BLUE
    }

    private record Inner(String word) {}

    private record Body(
            String name,
            int count,
            @Nullable Boolean flag,
            @Nullable Long size,
            @Nullable Instant at,
            @Nullable Colour colour,
            @Nullable List<String> words,
            @Nullable Map<String, String> labels,
            @Nullable Inner inner) {}

    @Test
    void each_component_is_read_by_its_type() {
        assertThat(
                        read(
                                """
                                {"name": "a", "count": 3, "flag": true, "size": 5000000000,
                                 "at": "2026-11-15T08:00:00Z", "colour": "dark_blue", "words": ["x", "y"],
                                 "labels": {"team": "red"}, "inner": {"word": "w"}}"""))
                .isEqualTo(
                        new Body(
                                "a",
                                3,
                                true,
                                5_000_000_000L,
                                Instant.parse("2026-11-15T08:00:00Z"),
                                Colour.DARK_BLUE,
                                List.of("x", "y"),
                                Map.of("team", "red"),
                                new Inner("w")));
    }

    @Test
    void what_may_be_null_can_be_left_out_or_null() {
        Body least = new Body("a", 3, null, null, null, null, null, null, null);
        assertThat(read("{\"name\": \"a\", \"count\": 3}")).isEqualTo(least);
        assertThat(read("{\"name\": \"a\", \"count\": 3, \"flag\": null}")).isEqualTo(least);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'count': 3}|field 'name' is missing",
                "{'name': null, 'count': 3}|field 'name' is missing",
                "{'name': 'a', 'count': 3, 'nane': 1}|there is no field 'nane'",
                "{'name': 'a', 'count': '3'}|field 'count' must be a whole number",
                "{'name': 'a', 'count': 5000000000}|field 'count' is out of range",
                "{'name': 'a', 'count': 3, 'flag': 'yes'}|field 'flag' must be true or false",
                "{'name': 'a', 'count': 3, 'at': 'noon'}|field 'at' must be a time",
                "{'name': 'a', 'count': 3, 'colour': 'pink'}|one of red, dark_blue",
                "{'name': 'a', 'count': 3, 'words': 'x'}|list of texts",
                "{'name': 'a', 'count': 3, 'inner': {'word': 'w', 'more': 1}}|no field 'more'",
                "[]|must be a JSON object"
            },
            quoteCharacter = '~')
    void what_does_not_fit_is_refused_by_name(String json, String why) {
        assertThatThrownBy(() -> read(json.replace('\'', '"')))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining(why);
    }

    private static Body read(String json) {
        return JsonFields.of(json.getBytes(StandardCharsets.UTF_8)).as(Body.class);
    }
}
