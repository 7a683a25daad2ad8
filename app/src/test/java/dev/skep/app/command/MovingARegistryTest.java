package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MovingARegistryTest {
    private static final String DOCUMENT =
            """
            {"format":"skep-registry-state","version":1,"exported_at":"2027-01-01T00:00:00.000000Z",
            "nodes":[
            {"id":"a","machine":"laptop","cwd":"/work","port":7001,"pid":42,"status":"offline","registered_at":"2027-01-01T00:00:00.000000Z","last_seen_at":"2027-01-01T00:00:10.000000Z","offline_since":"2027-01-01T00:00:10.000000Z","reconnects":0}],
            "connections":[],
            "stats":[]}
            """;

    @TempDir Path home;
    private String err = "";

    @Test
    void what_one_registry_remembers_moves_to_another() throws Exception {
        Files.writeString(home.resolve("given.json"), DOCUMENT);
        assertThat(run("registry", "import", "given.json")).isZero();
        assertThat(err).contains("imported 1 new or newer lines");

        assertThat(run("registry", "export", "taken.json")).isZero();
        assertThat(err).contains("2 lines are in " + home.resolve("taken.json"));
        assertThat(home.resolve("taken.json")).content().contains("\"id\":\"a\"");
        assertThat(run("registry", "import", "taken.json", "--data-dir", "other")).isZero();
        assertThat(run("registry", "import", "taken.json", "--data-dir", "other")).isZero();
        assertThat(err).contains("imported 0 new or newer lines");
    }

    @Test
    void an_export_that_fails_leaves_no_file_and_one_that_is_there_is_kept() throws Exception {
        assertThat(run("registry", "export", "taken.json", "--data-dir", "nowhere")).isEqualTo(1);
        assertThat(err).contains("nowhere holds no registry; name its folder with --data-dir");
        assertThat(home).isEmptyDirectory();

        Files.writeString(home.resolve("given.json"), DOCUMENT);
        run("registry", "import", "given.json");
        assertThat(run("registry", "export", "given.json")).isEqualTo(1);
        assertThat(err).contains("given.json is there already").contains("--force");
        assertThat(home.resolve("given.json")).hasContent(DOCUMENT);
        assertThat(run("registry", "export", "given.json", "--force")).isZero();
        assertThat(home.resolve("given.json"))
                .content()
                .doesNotContain("2027-01-01T00:00:00.000000Z\",\n");
    }

    private int run(String... arguments) {
        var errors = new StringWriter();
        int status =
                Program.run(TestContext.of(Map.of(), home, new StringWriter(), errors), arguments);
        err = errors.toString();
        return status;
    }
}
