package dev.skep.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the document of the whole product says of its routes; docs/reference/api.md is made of it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DescribedOperationsTest {
    private static final List<String> TEXT =
            List.of("text/event-stream", "application/x-ndjson", "application/octet-stream");

    private JsonNode document = JsonMapper.shared().createObjectNode();

    private record Call(String name, JsonNode operation) {
        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeAll
    void read(@TempDir Path folder) throws Exception {
        try (var product = new RunningProduct(folder)) {
            document = JsonMapper.shared().readTree(product.get("/api/openapi.json"));
        }
    }

    @AfterAll
    void forget() {
        document = JsonMapper.shared().createObjectNode();
    }

    private List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        document.path("paths")
                .properties()
                .forEach(
                        path ->
                                path.getValue()
                                        .properties()
                                        .forEach(
                                                method ->
                                                        calls.add(
                                                                new Call(
                                                                        method.getKey()
                                                                                + " "
                                                                                + path.getKey(),
                                                                        method.getValue()))));
        return calls;
    }

    @Test
    void every_operation_says_what_it_is_for_and_what_it_answers() {
        assertThat(calls()).hasSizeGreaterThan(100);
        for (Call call : calls()) {
            assertThat(call.operation().path("summary").asString("")).as("%s", call).isNotEmpty();
            assertThat(call.operation().path("responses").has("2XX"))
                    .as("%s describes no answer", call)
                    .isFalse();
            assertThat(call.operation().path("responses").has("4XX")).as("%s", call).isTrue();
        }
    }

    @Test
    void every_answer_and_body_in_json_has_a_schema_and_an_example() {
        for (Call call : calls()) {
            List<JsonNode> contents = new ArrayList<>();
            contents.add(call.operation().path("requestBody").path("content"));
            call.operation().path("responses").forEach(each -> contents.add(each.path("content")));
            for (JsonNode content : contents) {
                for (Map.Entry<String, JsonNode> each : content.properties()) {
                    boolean isText =
                            TEXT.contains(each.getKey()) || each.getKey().startsWith("text/");
                    assertThat(each.getValue().has("schema")).as("%s", call).isTrue();
                    assertThat(isText || each.getValue().has("example")).as("%s", call).isTrue();
                }
            }
        }
    }

    @Test
    void what_may_be_null_is_not_required_and_all_else_is() {
        JsonNode host = document.path("components").path("schemas").path("HostDetails");
        List<String> required =
                host.path("required").valueStream().map(JsonNode::asString).toList();
        assertThat(required).contains("id", "name", "maxConcurrent").doesNotContain("labels");
        assertThat(host.path("properties").path("jobsPerMinute").path("type").toString())
                .isEqualTo("[\"integer\",\"null\"]");
    }
}
