package dev.skep.runner.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.gateway.RefusalStyle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DescribingRuntimesTest {
    private static final String OWN =
            """
            runtimes:
              - name: goose
                command: [goose, acp]
                install: pipx install goose
                wire: none
            """;

    @TempDir Path dataDir = Path.of("");

    private RuntimeTable with(String yaml) throws Exception {
        Files.writeString(dataDir.resolve(RuntimeTable.FILE), yaml);
        return RuntimeTable.read(dataDir);
    }

    @Test
    void five_are_known_without_any_file() {
        RuntimeTable table = RuntimeTable.read(dataDir);
        assertThat(table.all())
                .extracting(RuntimeDefinition::name)
                .containsExactly("claude", "codex", "gemini", "opencode", "pi");
        assertThat(table.problems()).isEmpty();
        for (RuntimeDefinition each : table.all()) {
            assertThat(each.metered()).as(each.name()).isTrue();
            assertThat(each.asks()).as(each.name()).isTrue();
            assertThat(each.resumes()).as(each.name()).isTrue();
            assertThat(each.install()).as(each.name()).startsWith("npm install -g ");
            assertThat(each.login()).as(each.name()).isNotEmpty();
            assertThat(each.credentials()).as(each.name()).isNotEmpty();
        }
    }

    /** The token is a secret, and files in a home stay. */
    @Test
    void no_shipped_file_has_the_token_in_it() {
        for (RuntimeDefinition each : RuntimeTable.read(dataDir).all()) {
            assertThat(each.gatewayFiles().values())
                    .as(each.name())
                    .noneMatch(text -> text.contains("${gateway.token}"));
            assertThat(each.gatewayEnv()).as(each.name()).containsValue("${gateway.token}");
        }
    }

    @Test
    void own_ones_come_beside_the_shipped_and_replace_those_of_the_same_name() throws Exception {
        RuntimeTable table = with(OWN + OWN.substring(OWN.indexOf("  -")).replace("goose", "pi"));
        assertThat(table.problems()).isEmpty();
        assertThat(table.all())
                .extracting(RuntimeDefinition::name)
                .containsExactly("claude", "codex", "gemini", "opencode", "pi", "goose");
        assertThat(table.find("pi").orElseThrow().command()).isEqualTo(List.of("pi", "acp"));
        RuntimeDefinition goose = table.find("goose").orElseThrow();
        assertThat(goose.metered()).isFalse();
        assertThat(goose.refusals()).isEqualTo(RefusalStyle.ANSWER);
        assertThat(goose.resume()).isEqualTo(ResumeMethod.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: goose|name: skep|runtimes.yaml:2:11: runtimes[0].name: 'skep' must be",
                "wire: none|wire: carrier|runtimes.yaml:5:11: runtimes[0].wire: 'carrier' is none of anthropic, openai, google, none",
                "wire: none|wires: none|is not a known key; did you mean 'wire'?",
                "command: [goose, acp]|command: []|runtimes.yaml:3:14: runtimes[0].command: is empty",
                "wire: none|wire: openai@    env: { A: \"${modle}\" }|runtimes.yaml:6:10: runtimes[0].env: A: ${modle} is not known here",
                "wire: none|wire: openai@    env: { A: \"${gateway.token}\" }|${gateway.token} is not known here",
                "wire: none|wire: openai@    files: { ../x: y }|is not a path below the agent's home",
                "wire: none|wire: none@    gateway_env: { A: b }|none has no gateway",
            })
    void what_is_wrong_is_told_by_line_and_column(String before, String after, String problem)
            throws Exception {
        RuntimeTable table = with(OWN.replace(before, after.replace("@", "\n")));
        assertThat(table.problems().toString()).contains(problem);
        assertThat(table.all()).as("the shipped ones stay").hasSize(5);
    }

    @Test
    void an_unknown_one_is_told_with_those_that_are_known() {
        assertThat(RuntimeTable.read(dataDir).unknown("clod"))
                .isEqualTo(
                        "there is no runtime 'clod'; known are skep, claude, codex, gemini, opencode, pi, and yours go into runtimes.yaml");
    }
}
