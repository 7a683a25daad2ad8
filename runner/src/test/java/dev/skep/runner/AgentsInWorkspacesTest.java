package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.SkepException;
import dev.skep.runner.workspace.ChangedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentsInWorkspacesTest {
    @TempDir Path dir;
    private Path dataDir;
    private Path repo;

    @BeforeEach
    void repository() throws Exception {
        dataDir = Files.createDirectories(dir.resolve("data"));
        repo = Files.createDirectories(dir.resolve("shop"));
        git("init", "-q", "-b", "main");
        Files.writeString(repo.resolve("a.txt"), "one\n");
        git("add", "-A");
        git("commit", "-q", "-m", "First");
    }

    private void git(String... words) throws IOException, InterruptedException {
        List<String> all =
                new ArrayList<>(
                        List.of("git", "-c", "user.name=o", "-c", "user.email=o@example.org"));
        all.addAll(List.of(words));
        assertThat(new ProcessBuilder(all).directory(repo.toFile()).start().waitFor()).isZero();
    }

    private void dora(String workspace) {
        TestRunner.agent(
                dataDir,
                "dora",
                "username: dora\nprompt: p\nmodel: dora\n%s\n".formatted(workspace));
    }

    @Test
    void an_agent_works_in_a_clone_whose_changes_people_see() throws Exception {
        dora("workspace: { repo: ../shop, branch: \"skep/{agent}\" }");
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "dora",
                                commands(
                                        List.of(
                                                "git branch --show-current && cat a.txt",
                                                "echo two >>a.txt && git commit -qam Second && git log -1 --format=%an",
                                                "echo new >b.txt; git config --global x.y z && git status --short")));
        try (TestRunner test = TestRunner.start(dataDir, models)) {
            test.recorder.await("dora OUTPUT: skep/dora\none");
            test.recorder.await("dora OUTPUT: dora");
            test.recorder.await("dora OUTPUT: ?? b.txt");
            AgentService service = test.runner.agentService();
            assertThat(service.workspaces().diff("dora").files())
                    .extracting(ChangedFile::path)
                    .containsExactlyInAnyOrder("a.txt", "b.txt");
            assertThat(new String(service.workspaces().patch("dora"), StandardCharsets.UTF_8))
                    .contains("+two", "+new");
            assertThat(service.workspaces().list())
                    .singleElement()
                    .satisfies(
                            each -> {
                                assertThat(each.workspace()).isNotNull();
                                assertThat(each.size().orElseThrow().bytes()).isPositive();
                            });
            assertThatThrownBy(() -> service.workspaces().diff("zoe"))
                    .isInstanceOf(SkepException.class)
                    .hasMessageContaining("there is no agent 'zoe'");

            assertThat(service.remove("dora", false).message())
                    .startsWith("dora is removed; its history stays; its workspace")
                    .contains("1 commit (Second) and 1 uncommitted file (b.txt)")
                    .contains("--discard-work");
            assertThat(dataDir.resolve("work/dora/repo/b.txt")).exists();
            assertThat(service.remove("dora", true).message()).endsWith("is deleted");
            assertThat(dataDir.resolve("work/dora/repo")).doesNotExist();
            assertThat(dataDir.resolve("work/dora")).exists();
        }
    }

    @Test
    void without_a_clone_commands_say_why_and_nothing_is_deleted() throws Exception {
        dora("workspace: { repo: ../nowhere }");
        PlayedModels models =
                new PlayedModels().model("dora", commands(List.of("git status", "mail inbox")));
        try (TestRunner test = TestRunner.start(dataDir, models)) {
            test.recorder.await("dora OUTPUT: [workspace: the repository");
            test.recorder.await("dora OUTPUT: Inbox: nothing.");
            assertThat(test.runner.agentService().remove("dora", false).message())
                    .isEqualTo("dora is removed; its history stays");
        }
    }

    @Test
    void a_repository_inside_the_data_dir_and_a_folder_beside_it_are_refused() {
        dora("workspace: { repo: keys }");
        try (TestRunner test = TestRunner.start(dataDir, new PlayedModels())) {
            assertThat(test.runner.problems().toString()).contains("inside the data dir");
            dora("workspace: { repo: ../shop }\nfolder: work/x");
            test.runner.reload();
            assertThat(test.runner.problems().toString()).contains("keep one");
            dora("disk_limit: two");
            test.runner.reload();
            assertThat(test.runner.problems().toString()).contains("disk_limit", "is not a size");
            dora("disk_limit: 2GB");
            test.runner.reload();
            assertThat(test.runner.problems()).isEmpty();
        }
    }
}
