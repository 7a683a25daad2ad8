package dev.skep.runner.managed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.runner.acp.PermissionRequest;
import dev.skep.runner.acp.SessionUpdate;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.approval.Protection;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Requests as Claude Code, Codex and Gemini CLI were seen to write them, and imitations. */
class OwnToolTest {
    private static final String CLAUDE =
            """
            {"claudeCode":{"toolName":"mcp__skep__mail_send",
            "mcpServer":{"name":"skep","source":"dynamic"}}}""";
    private static final String CODEX = "{\"is_mcp_tool_approval\":true}";
    private static final String CODEX_INPUT =
            "{\"server\":\"skep\",\"tool\":\"mail_send\",\"arguments\":{\"text\":\"hi\"}}";
    private static final String GEMINI_ID = "mcp_skep_mail_send__mcp_skep_mail_send_1795_0";
    private static final String GEMINI_TITLE = "mail_send (skep MCP Server)";

    private final ToolUse use = new ToolUse("1", 0);

    private static SessionUpdate.ToolCallUpdate call(
            String id, @Nullable String title, String kind, @Nullable String input) {
        return new SessionUpdate.ToolCallUpdate(
                id, title, kind, "pending", null, null, input, null, null);
    }

    private static PermissionRequest request(
            SessionUpdate.ToolCallUpdate call,
            String firstOption,
            @Nullable String meta,
            @Nullable String toolMeta) {
        var option =
                new PermissionRequest.Option(
                        firstOption, "Always", PermissionRequest.Kind.ALLOW_ALWAYS);
        return new PermissionRequest("s", call, List.of(option), meta, toolMeta);
    }

    private Optional<String> asked(PermissionRequest request) {
        ToolUse asked =
                request.toolCall().toolCallId().equals("1")
                        ? use
                        : new ToolUse(request.toolCall().toolCallId(), 0);
        asked.take(request.toolCall());
        return SkepToolDetector.in(request, asked);
    }

    private Optional<String> gemini(String id, String title, String kind, String option) {
        return asked(request(call(id, title, kind, null), option, null, null));
    }

    @Test
    void each_of_the_three_names_our_tool_in_its_own_way() {
        assertThat(asked(request(call("1", "?", "other", "{}"), "allow-once", null, CLAUDE)))
                .contains("mail_send");
        use.take(call("1", "mcp.skep.mail_send", "execute", CODEX_INPUT));
        assertThat(asked(request(call("1", null, "execute", null), "allow_once", CODEX, null)))
                .contains("mail_send");
        assertThat(gemini(GEMINI_ID, GEMINI_TITLE, "other", "proceed_always_server"))
                .contains("mail_send");
    }

    @Test
    void a_command_whose_text_is_the_tools_name_is_a_command() {
        for (String text :
                List.of("mcp__skep__mail_send", "mcp.skep.mail_send", GEMINI_TITLE, CODEX_INPUT)) {
            String input = "{\"command\":%s}".formatted(LogDetailJson.text(text));
            assertThat(asked(request(call("1", text, "execute", input), "yes", null, null)))
                    .as(text)
                    .isEmpty();
            assertThat(asked(request(call("1", text, "other", input), "yes", null, null)))
                    .as(text)
                    .isEmpty();
        }
        assertThat(gemini("run_shell_command__" + GEMINI_ID, GEMINI_TITLE, "execute", "once"))
                .isEmpty();
        assertThat(
                        gemini(
                                "run_shell_command__" + GEMINI_ID,
                                GEMINI_TITLE,
                                "other",
                                "proceed_always_server"))
                .isEmpty();
        assertThat(gemini(GEMINI_ID, GEMINI_TITLE, "execute", "proceed_always_server")).isEmpty();
        assertThat(gemini(GEMINI_ID, GEMINI_TITLE, "other", "proceed_always")).isEmpty();
    }

    @Test
    void a_command_is_none_of_ours_even_where_a_call_of_the_same_id_was() {
        use.take(call("1", "mcp.skep.mail_send", "execute", CODEX_INPUT));
        assertThat(asked(request(call("1", "rm -rf x", "execute", null), "yes", null, null)))
                .as("the request is not marked")
                .isEmpty();
        String command = "{\"command\":\"rm -rf x\",\"server\":\"skep\",\"tool\":\"mail_send\"}";
        assertThat(asked(request(call("1", "x", "execute", command), "yes", CODEX, null)))
                .as("it has other fields")
                .isEmpty();
    }

    @Test
    void tools_of_other_servers_are_not_ours() {
        assertThat(
                        asked(
                                request(
                                        call("1", "?", "other", "{}"),
                                        "yes",
                                        null,
                                        CLAUDE.replace("\"skep\"", "\"skepp\""))))
                .isEmpty();
        assertThat(
                        asked(
                                request(
                                        call("1", "?", "other", "{}"),
                                        "yes",
                                        null,
                                        CLAUDE.replace("dynamic", "project"))))
                .as("one of that name that the folder's own settings bring")
                .isEmpty();
        use.take(call("1", "?", "execute", CODEX_INPUT.replace("skep", "evil")));
        assertThat(asked(request(call("1", null, "execute", null), "yes", CODEX, null))).isEmpty();
        assertThat(
                        gemini(
                                "mcp_evil_run__mcp_skep_mail_send__1",
                                GEMINI_TITLE,
                                "other",
                                "proceed_always_server"))
                .as("its title may be the text of an input")
                .isEmpty();
    }

    @Test
    void ours_run_without_a_person_unless_they_are_denied() {
        ToolAction deed = ToolAction.ofOwn("mail_send");
        assertThat(deed.verdict(new Protection(Protection.Mode.MANUAL, List.of(), List.of())))
                .isEqualTo(new Protection.Verdict.Run());
        assertThat(
                        deed.verdict(
                                new Protection(
                                        Protection.Mode.MANUAL, List.of(), List.of("skep.mail_*"))))
                .isEqualTo(new Protection.Verdict.Refuse("skep.mail_*"));
        use.take(call("1", "skep.mail_send", "execute", "{\"command\":\"skep.mail_send\"}"));
        assertThat(
                        ToolAction.of(use, Path.of("/w"))
                                .verdict(
                                        new Protection(
                                                Protection.Mode.MANUAL, List.of(), List.of())))
                .as("a command of that text")
                .isEqualTo(new Protection.Verdict.Ask());
    }

    @Test
    void no_server_of_an_agents_file_takes_the_name_of_our_tools() {
        assertThatThrownBy(
                        () ->
                                new AgentFile.ToolServer(
                                        "skep", List.of("true"), Map.of(), null, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the tools that every agent has");
    }
}
