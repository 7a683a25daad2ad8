package dev.skep.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenamingInTheFileTest {
    @TempDir Path folder;

    private Optional<String> rename(String text, String name) throws IOException {
        Files.writeString(folder.resolve("ada.yaml"), text);
        AgentSource found = new AgentFolder(folder).read().agents().getFirst();
        return new AgentRename(name).writeInto(found);
    }

    private AgentSource now() {
        return new AgentFolder(folder).read().agents().getFirst();
    }

    @Test
    void a_name_that_stands_in_the_file_is_replaced_and_the_rest_stays() throws IOException {
        String text = "# a comment\nusername: ada\nprompt: You are ada.\nmodel: scripted:x\n";
        assertThat(rename(text, "ada-two")).isEmpty();
        assertThat(now().username()).isEqualTo("ada-two");
        assertThat(now().text()).isEqualTo(text.replace("username: ada", "username: ada-two"));
    }

    @Test
    void a_file_without_a_name_gets_one() throws IOException {
        assertThat(rename("---\nprompt: Hello.\nmodel: scripted:x\n", "ada-two")).isEmpty();
        assertThat(now().username()).isEqualTo("ada-two");
        assertThat(now().path()).isEqualTo("ada.yaml");
    }

    @Test
    void a_name_that_cannot_be_one_is_refused_and_nothing_is_written() throws IOException {
        assertThat(rename("prompt: Hello.\nmodel: scripted:x\n", "Not A Name"))
                .hasValueSatisfying(why -> assertThat(why).contains("must be up to 32"));
        assertThat(now().username()).isEqualTo("ada");
    }
}
