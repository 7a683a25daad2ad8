package dev.skep.cli.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.route.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an editor is told of a line of an agent's log. */
class LogAsUpdatesTest {
    private final LogUpdates updates = new LogUpdates();

    private List<String> told(String line) {
        return updates.of(Json.fields(line), false).stream().map(Json::text).toList();
    }

    @Test
    void the_words_of_a_runtime_go_on_as_they_are_and_those_of_our_own_loop_are_whole() {
        assertThat(
                        told(
                                "{'id':'1','type':'reply','source':'runtime','message':'Hel'}"
                                        .replace('\'', '"')))
                .containsExactly(
                        """
                        {"sessionUpdate":"agent_message_chunk","content":%s}"""
                                .formatted(content("Hel")));
        assertThat(
                        told(
                                "{'id':'2','type':'reply','source':'model','message':'Hello.'}"
                                        .replace('\'', '"')))
                .containsExactly(
                        """
                        {"sessionUpdate":"agent_message_chunk","content":%s,"messageId":"2"}"""
                                .formatted(content("Hello.\\n")));
    }

    /** In the order in which it happens to be written. */
    private static String content(String text) {
        String json = Json.text(Map.of("type", "text", "text", "-"));
        return json.replace("-", text);
    }

    @Test
    void a_tool_call_and_its_result_share_an_id_and_carry_diffs() {
        assertThat(
                        told(
                                """
                                {"id":"10","type":"tool_call","source":"runtime","message":"Write a","detail":{"toolCallId":"c-1","kind":"edit","title":"Write a","input":{"path":"a"},"locations":[{"path":"a","line":3}]}}"""))
                .singleElement()
                .asString()
                .contains("\"toolCallId\":\"c-1\"", "\"kind\":\"edit\"", "\"title\":\"Write a\"")
                .contains("\"rawInput\":{\"path\":\"a\"}")
                .contains("\"locations\":[{\"path\":\"a\",\"line\":3}]");
        assertThat(updates.toolCallOf("10", "Write a")).isEqualTo("c-1");
        assertThat(
                        told(
                                """
                                {"id":"11","type":"tool_result","source":"runtime","message":"a","detail":{"toolCallId":"c-1","kind":"edit","status":"completed","diffs":[{"path":"a","oldText":null,"newText":"n"}],"locations":[]}}"""))
                .containsExactly(
                        """
                        {"sessionUpdate":"tool_call_update","toolCallId":"c-1","status":"completed","content":[{"type":"diff","path":"a","oldText":null,"newText":"n"}],"locations":[]}""");
        assertThat(
                        told(
                                """
                                {"id":"12","type":"tool_result","message":"gone","detail":{"toolCallId":"c-2","status":"unknown"}}"""))
                .singleElement()
                .asString()
                .contains("\"status\":\"failed\"", "gone");
    }

    @Test
    void commands_of_our_own_loop_are_tool_calls_that_end_in_their_order() {
        told("{\"id\":\"20\",\"type\":\"command\",\"message\":\"ls\"}");
        told("{\"id\":\"21\",\"type\":\"command\",\"message\":\"pwd\"}");
        assertThat(updates.toolCallOf("approval", "pwd")).isEqualTo("21");
        assertThat(updates.toolCallOf("approval", "rm")).isEqualTo("approval");
        assertThat(told("{\"id\":\"22\",\"type\":\"output\",\"message\":\"a b\"}"))
                .singleElement()
                .asString()
                .contains("\"toolCallId\":\"20\"", "completed", "a b");
        assertThat(told("{\"id\":\"23\",\"type\":\"output\",\"message\":\"/\"}"))
                .singleElement()
                .asString()
                .contains("\"toolCallId\":\"21\"");
        assertThat(told("{\"id\":\"24\",\"type\":\"output\",\"message\":\"of nothing\"}"))
                .isEmpty();
    }

    @Test
    void a_plan_keeps_its_steps_and_what_editors_do_not_show_is_left_out() {
        assertThat(
                        told(
                                """
                                {"id":"30","type":"plan","message":"","detail":{"entries":[{"content":"a","status":"completed","priority":"high"},{"content":"b"}]}}"""))
                .singleElement()
                .asString()
                .contains("\"content\":\"a\"", "\"status\":\"completed\"", "\"priority\":\"high\"")
                .contains("\"content\":\"b\"", "\"status\":\"pending\"", "\"priority\":\"medium\"");
        for (String type : List.of("prompt", "instructions", "summary", "talk", "of_later")) {
            assertThat(told("{\"id\":\"31\",\"type\":\"" + type + "\",\"message\":\"m\"}"))
                    .as(type)
                    .isEmpty();
        }
    }

    @Test
    void what_a_person_said_is_told_in_a_replay() {
        assertThat(
                        updates
                                .of(
                                        Json.fields(
                                                """
                                                {"id":"40","type":"talk","source":"operator","message":"A person says: go on"}"""),
                                        true)
                                .stream()
                                .map(Json::text))
                .singleElement()
                .asString()
                .contains("user_message_chunk", "\"go on\"");
    }
}
