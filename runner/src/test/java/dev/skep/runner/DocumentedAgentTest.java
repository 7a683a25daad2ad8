package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.DefaultsTo;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.runner.agent.AgentFile;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class DocumentedAgentTest {
    private static String page() throws IOException {
        return Files.readString(Path.of("../docs/agents.md"));
    }

    @Test
    void the_example_of_the_documentation_reads() throws IOException {
        String text = page();
        int begin = text.indexOf("```yaml\n", text.indexOf("## The file")) + 8;
        String yaml = text.substring(begin, text.indexOf("```", begin));
        assertThat(YamlBinder.parse("docs/agents.md", yaml, AgentFile.class))
                .isInstanceOf(BindingResult.Value.class);
    }

    @Test
    void every_key_is_in_the_table_with_its_default() throws IOException {
        String text = page();
        for (RecordComponent each : AgentFile.class.getRecordComponents()) {
            String key = each.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            DefaultsTo standard = each.getAnnotation(DefaultsTo.class);
            assertThat(text)
                    .containsPattern(
                            standard == null
                                    ? "(?m)^\\|[^|]*`" + key + "`[^|]*\\|"
                                    : "(?m)^\\| `" + key + "` \\| `" + standard.value() + "` \\|");
        }
    }
}
