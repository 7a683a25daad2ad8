package dev.skep.runner.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DocumentedRuntimeTest {
    @Test
    void the_example_of_another_program_reads() throws IOException {
        String text = Files.readString(Path.of("../docs/agents.md"));
        int begin = text.indexOf("```yaml\nruntimes:") + 8;
        assertThat(begin).isGreaterThan(8);
        String yaml = text.substring(begin, text.indexOf("```", begin));
        assertThat(YamlBinder.parse("docs/agents.md", yaml, RuntimesFile.class))
                .isInstanceOf(BindingResult.Value.class);
    }
}
