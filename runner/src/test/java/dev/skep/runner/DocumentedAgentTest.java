package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.yaml.Bound;
import dev.skep.runner.yaml.YamlBinder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DocumentedAgentTest {
    @Test
    void the_example_of_the_documentation_reads() throws IOException {
        String text = Files.readString(Path.of("../docs/agents.md"));
        int begin = text.indexOf("```yaml\n") + 8;
        String yaml = text.substring(begin, text.indexOf("```", begin));
        assertThat(YamlBinder.parse("docs/agents.md", yaml, AgentFile.class))
                .isInstanceOf(Bound.Value.class);
    }
}
