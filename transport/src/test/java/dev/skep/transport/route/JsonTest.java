package dev.skep.transport.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    private static JsonFields fields(String json) {
        return JsonFields.of(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void times_have_microseconds_whatever_the_clock_counts_in() {
        assertThat(Json.text(Map.of("at", Instant.parse("2026-01-02T03:04:05.123456789Z"))))
                .isEqualTo("{\"at\":\"2026-01-02T03:04:05.123456Z\"}");
        assertThat(Json.text(Map.of("at", Instant.parse("2026-01-02T03:04:05Z"))))
                .isEqualTo("{\"at\":\"2026-01-02T03:04:05.000000Z\"}");
    }

    @Test
    void a_value_that_is_no_object_is_named_in_the_error() {
        assertThatThrownBy(() -> fields("7")).hasMessage("the body must be a JSON object");
        assertThatThrownBy(() -> fields("{\"payload\":7}").object("payload"))
                .hasMessage("field 'payload' must be a JSON object");
        assertThatThrownBy(() -> fields("{\"running\":[7]}").list("running"))
                .hasMessage("each of 'running' must be a JSON object");
        assertThat(fields("{\"payload\":null}").object("payload")).isEmpty();
    }
}
