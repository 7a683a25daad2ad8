package dev.skep.runner.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WhereShellsStartTest {
    @TempDir private Path temporary = Path.of("");
    private Path data = Path.of("");
    private StartFolder folders = new StartFolder(Path.of(""));

    @BeforeEach
    void set() throws IOException {
        data = temporary.resolve("data");
        Files.createDirectories(data.resolve("work/bob"));
        Files.createDirectories(data.resolve("agents"));
        Files.createDirectories(temporary.resolve("project"));
        folders = new StartFolder(data);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".",
                "",
                "agents",
                "agents/new",
                "..",
                "work/..",
                "work/../agents",
                "../data",
                "work",
                "servers/x",
                "./agents",
                "work/../../project",
                "work/.jobs",
                "work/.jobs/src"
            })
    void nowhere_in_the_data_dir_but_below_work_and_never_upwards(String written) {
        assertThat(folders.problem(written)).hasValueSatisfying(this::namesTheFix);
        assertThat(folders.problem(data + "/" + written)).isPresent();
    }

    private void namesTheFix(String problem) {
        assertThat(problem).startsWith("'").containsPattern("work/|whole path|name one below it");
    }

    @Test
    void below_work_and_outside_of_the_data_dir() {
        assertThat(folders.problem("work/team")).isEmpty();
        assertThat(folders.problem("work/team/deep/er")).isEmpty();
        assertThat(folders.problem(data + "/work/team")).isEmpty();
        assertThat(folders.problem(temporary + "/project")).isEmpty();
        assertThat(folders.problem(temporary + "/not/made/yet")).isEmpty();
    }

    @Test
    void not_where_a_link_leads_into_the_data_dir_or_out_of_work() throws IOException {
        Files.createSymbolicLink(temporary.resolve("in"), data.resolve("agents"));
        Files.createSymbolicLink(temporary.resolve("all"), data);
        Files.createSymbolicLink(data.resolve("work/out"), temporary.resolve("project"));
        Files.createSymbolicLink(data.resolve("work/dead"), temporary.resolve("nothing"));
        Files.createSymbolicLink(data.resolve("work/other"), data.resolve("work/bob"));
        for (String written :
                List.of(
                        temporary + "/in",
                        temporary + "/in/new",
                        temporary + "/all",
                        "work/out",
                        "work/out/deep",
                        "work/dead",
                        "work/other")) {
            assertThat(folders.problem(written)).as(written).isPresent();
        }
        // A project that is a link to a disk elsewhere is its owner's business.
        Files.createSymbolicLink(temporary.resolve("alias"), temporary.resolve("project"));
        assertThat(folders.problem(temporary + "/alias")).isEmpty();
    }

    @Test
    void all_of_work_may_lie_elsewhere(@TempDir Path disk) throws IOException {
        Path other = Files.createDirectories(temporary.resolve("other"));
        Files.createSymbolicLink(other.resolve("work"), disk);
        assertThat(new StartFolder(other).problem("work/team")).isEmpty();
        Files.createSymbolicLink(disk.resolve("out"), temporary.resolve("project"));
        assertThat(new StartFolder(other).problem("work/out")).isPresent();
    }

    @Test
    void files_from_elsewhere_only_below_work_or_where_the_host_lists() throws IOException {
        List<String> others = List.of("bob", "jobs");
        String project = temporary + "/project";
        assertThat(folders.problemFromElsewhere("work/team", others)).isEmpty();
        assertThat(folders.problemFromElsewhere("agents", others)).isPresent();
        assertThat(folders.problemFromElsewhere("work/bob", others))
                .hasValueSatisfying(why -> assertThat(why).contains("the folder of bob"));
        assertThat(folders.problemFromElsewhere(project, others))
                .hasValueSatisfying(why -> assertThat(why).contains("remote-folders"));
        Files.writeString(data.resolve("remote-folders"), "# lent\n" + project + "\n");
        assertThat(folders.problemFromElsewhere(project + "/part", others)).isEmpty();
        assertThat(folders.problemFromElsewhere(project + "x", others)).isPresent();
        assertThat(folders.problemFromElsewhere("/", others)).isPresent();
    }
}
