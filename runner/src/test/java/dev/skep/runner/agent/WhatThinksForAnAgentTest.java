package dev.skep.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentRuntime;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WhatThinksForAnAgentTest {
    @Test
    void the_text_of_a_file_says_the_same_as_the_file_that_is_read() {
        Map.of(
                        "",
                        AgentRuntime.OWN_LOOP,
                        "runtime: skep\n",
                        AgentRuntime.OWN_LOOP,
                        "runtime: claude\n",
                        new AgentRuntime("claude", true),
                        "runtime: \"claude\"   # as it is\nauth: gateway\n",
                        new AgentRuntime("claude", true),
                        "runtime: codex\r\nauth: 'login' # a subscription\r\n",
                        new AgentRuntime("codex", false),
                        "auth: login\n",
                        AgentRuntime.OWN_LOOP,
                        "title: |\n  runtime: claude\n",
                        AgentRuntime.OWN_LOOP)
                .forEach(
                        (lines, expected) -> {
                            String text = "prompt: x\nmodel: m\n" + lines;
                            assertThat(AgentRuntime.of(text)).as(lines).isEqualTo(expected);
                            assertThat(read(text)).as(lines).isEqualTo(expected);
                        });
    }

    private static AgentRuntime read(String text) {
        if (!(YamlBinder.parse("x", text, AgentFile.class)
                instanceof BindingResult.Value<AgentFile>(var file))) {
            throw new AssertionError(text);
        }
        boolean login = file.isManaged() && file.auth() == AgentFile.Auth.LOGIN;
        return new AgentRuntime(file.runtime(), !login);
    }

    @Test
    void what_a_newer_version_wrote_and_what_stands_beside_the_file_do_not_matter() {
        assertThat(AgentRuntime.of("runtime: pi\nnew_key: 1\n--- # file: a.yaml\nauth: login\n"))
                .isEqualTo(new AgentRuntime("pi", true));
        assertThat(AgentRuntime.of("model: m\n--- # file: a.yaml\nruntime: pi\n"))
                .isEqualTo(AgentRuntime.OWN_LOOP);
        assertThat(AgentRuntime.of(null)).isEqualTo(AgentRuntime.OWN_LOOP);
    }
}
