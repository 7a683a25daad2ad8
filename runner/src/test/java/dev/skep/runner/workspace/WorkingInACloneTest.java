package dev.skep.runner.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkingInACloneTest {
    @TempDir Path dir;
    private WorkspaceFixture fixture;
    private Workspaces workspaces;

    @BeforeEach
    void start() throws IOException {
        fixture = new WorkspaceFixture(dir);
        workspaces = fixture.workspaces;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void the_first_start_makes_a_clone_on_a_branch_of_its_own_and_later_ones_use_it()
            throws InterruptedException, IOException {
        Git dora = fixture.prepared();
        assertThat(dora.read("a.txt")).isEqualTo("one\ntwo\nthree\n");
        assertThat(dora.run("symbolic-ref", "--short", "HEAD")).isEqualTo("skep/dora");
        assertThat(dora.run("branch", "--format=%(refname:short)")).isEqualTo("skep/dora");
        assertThat(dora.run("status", "--porcelain")).isEmpty();
        Object agent = Files.getAttribute(fixture.dora().own(), "unix:uid");
        for (String file : List.of("", "a.txt", ".git", ".git/config", ".git/objects")) {
            assertThat(Files.getAttribute(dora.folder.resolve(file), "unix:uid")).isEqualTo(agent);
        }
        assertThat(dora.run("remote", "get-url", "origin"))
                .isEqualTo(fixture.owner.folder.toString());
        dora.write("new.txt", "kept");
        assertThat(fixture.prepared().read("new.txt")).isEqualTo("kept");
        assertThat(fixture.owner.run("branch", "--format=%(refname:short)")).isEqualTo("main");
    }

    @Test
    void a_branch_that_exists_is_continued_and_compared_with_where_it_left()
            throws InterruptedException {
        fixture.owner.run("checkout", "-q", "-b", "skep/dora");
        fixture.owner.write("begun.txt", "half\n");
        fixture.owner.commit("Begun");
        fixture.owner.run("checkout", "-q", "main");
        fixture.owner.write("later.txt", "of somebody else\n");
        fixture.owner.commit("Later");
        assertThat(fixture.prepared().read("begun.txt")).isEqualTo("half\n");
        assertThat(paths(workspaces.diff(fixture.dora()))).containsExactly("ADDED begun.txt");
    }

    @Test
    void changes_are_shown_whether_committed_or_not_and_what_is_ignored_is_not()
            throws InterruptedException, IOException {
        Git dora = fixture.prepared();
        assertThat(workspaces.diff(fixture.dora()).files()).isEmpty();
        dora.write("a.txt", "one\nTWO\nthree\n");
        dora.commit("Second");
        dora.write("dir/ä b.txt", "new " + WorkspaceFixture.SECRET + "\n");
        Files.write(dora.folder.resolve("pic.bin"), new byte[] {0, 1, 2, 0});
        dora.write("noise.log", "ignored");
        Files.createSymbolicLink(dora.folder.resolve("link"), Path.of("/etc/passwd"));
        WorkspaceDiff diff = workspaces.diff(fixture.dora());
        assertThat(paths(diff))
                .containsExactlyInAnyOrder(
                        "MODIFIED a.txt", "ADDED dir/ä b.txt", "ADDED pic.bin", "ADDED link");
        assertThat(diff.branch()).isEqualTo("skep/dora");
        assertThat(diff.base()).isEqualTo(fixture.owner.run("rev-parse", "main"));
        assertThat(diff.text())
                .contains("-two\n+TWO", "Binary files", "+new [redacted]", "+/etc/passwd")
                .doesNotContain("root:");
        assertThat(diff.cut()).isFalse();
        ChangedFile first =
                diff.files().stream()
                        .filter(f -> f.path().equals("a.txt"))
                        .findFirst()
                        .orElseThrow();
        assertThat(List.of(first.added(), first.deleted())).containsExactly(1L, 1L);
        // Looking changed nothing.
        assertThat(dora.run("status", "--porcelain").lines()).hasSize(3);
    }

    @Test
    void a_renamed_file_keeps_its_old_name_and_a_deleted_one_is_told() throws InterruptedException {
        fixture.owner.write("gone.txt", "x\n");
        fixture.owner.commit("Another");
        Git dora = fixture.prepared();
        dora.run("mv", "a.txt", "b.txt");
        dora.run("rm", "-q", "gone.txt");
        assertThat(workspaces.diff(fixture.dora()).files())
                .containsExactlyInAnyOrder(
                        new ChangedFile("b.txt", "a.txt", ChangedFile.Change.RENAMED, 0, 0, false),
                        new ChangedFile("gone.txt", null, ChangedFile.Change.DELETED, 0, 1, false));
    }

    @Test
    void the_patch_brings_the_owner_all_of_it() throws InterruptedException, IOException {
        Git dora = fixture.prepared();
        dora.write("a.txt", "one\nTWO\nthree\n");
        dora.commit("Second");
        dora.write("new.txt", WorkspaceFixture.SECRET + "\r\n\u001b[1mbold\n");
        byte[] binary = {0, 27, '[', 1, (byte) 0xff, '\r', '\n', 30};
        Files.write(dora.folder.resolve("pic.bin"), binary);
        Path patch = dir.resolve("dora.patch");
        Files.write(patch, workspaces.patch(fixture.dora()));
        fixture.owner.run("apply", patch.toString());
        assertThat(fixture.owner.read("a.txt")).isEqualTo("one\nTWO\nthree\n");
        assertThat(fixture.owner.read("new.txt")).isEqualTo(dora.read("new.txt"));
        assertThat(Files.readAllBytes(fixture.owner.folder.resolve("pic.bin"))).isEqualTo(binary);
    }

    @Test
    void a_long_diff_is_cut_and_a_patch_too_long_is_refused() throws InterruptedException {
        Git dora = fixture.prepared();
        dora.write("long.txt", "0123456789abcdef\n".repeat(600_000));
        WorkspaceDiff diff = workspaces.diff(fixture.dora());
        assertThat(diff.cut()).isTrue();
        assertThat(diff.text().length()).isBetween(400_000, 600_000);
        assertThat(paths(diff)).containsExactly("ADDED long.txt");
        assertThatThrownBy(() -> workspaces.patch(fixture.dora()))
                .hasMessageContaining("upload-pack' " + dora.folder);
    }

    @Test
    void a_folder_that_is_a_repository_is_looked_at_and_left_alone() throws InterruptedException {
        fixture.owner.write("a.txt", "one\n");
        Path folder = fixture.owner.folder;
        assertThat(paths(workspaces.diff(fixture.withFolder(folder))))
                .containsExactly("MODIFIED a.txt");
        assertThat(workspaces.remove(fixture.withFolder(folder), true))
                .isInstanceOf(Workspaces.Removed.Nothing.class);
        assertThat(fixture.owner.read("a.txt")).isEqualTo("one\n");
        assertThatThrownBy(() -> workspaces.diff(fixture.withFolder(dir.resolve("data/work/x"))))
                .hasMessageContaining("no repository");
    }

    @Test
    void nothing_unmerged_is_deleted_unasked() throws InterruptedException {
        Git dora = fixture.prepared();
        dora.write("a.txt", "one\n");
        dora.commit("Shorten a");
        dora.write("scratch.txt", "not committed");
        assertThat(kept()).isEqualTo("1 commit (Shorten a) and 1 uncommitted file (scratch.txt)");
        dora.run("checkout", "-q", "-b", "other", "origin/main");
        dora.run("clean", "-qfd");
        dora.write("stashed.txt", "s");
        dora.run("add", "-A");
        dora.run("stash", "-q");
        assertThat(kept()).contains("Shorten a").contains("WIP on other");
        dora.run("stash", "drop", "-q");
        fixture.owner.run(
                "fetch",
                "-q",
                "--upload-pack",
                "git -c safe.directory=* upload-pack",
                dora.folder.toString(),
                "skep/dora");
        assertThat(kept()).as("fetched and in no branch").isEqualTo("1 commit (Shorten a)");
        fixture.owner.run("merge", "-q", "FETCH_HEAD");
        assertThat(workspaces.remove(fixture.dora(), false))
                .isInstanceOf(Workspaces.Removed.Gone.class);
        assertThat(dora.folder).doesNotExist();
        assertThat(workspaces.find(fixture.dora().agent().id())).isEmpty();
        assertThat(workspaces.remove(fixture.dora(), false))
                .isInstanceOf(Workspaces.Removed.Nothing.class);
    }

    @Test
    void work_is_discarded_only_when_told_and_also_if_it_cannot_be_looked_at()
            throws InterruptedException, IOException {
        Git dora = fixture.prepared();
        Files.writeString(dora.folder.resolve(".git/HEAD"), "nonsense");
        assertThat(kept()).startsWith("work that cannot be looked at");
        assertThat(workspaces.remove(fixture.dora(), true))
                .isInstanceOf(Workspaces.Removed.Gone.class);
        assertThat(fixture.prepared().read("a.txt")).isNotEmpty();
    }

    private String kept() throws InterruptedException {
        return workspaces.remove(fixture.dora(), false)
                        instanceof Workspaces.Removed.Kept(var folder, var work)
                ? work.described()
                : "not kept";
    }

    @Test
    void what_cannot_be_cloned_is_refused_with_the_reason()
            throws InterruptedException, IOException {
        Path empty = Files.createDirectories(dir.resolve("empty"));
        assertThat(fixture.refusal(fixture.dora(empty, "skep/dora", null)))
                .contains("cannot be cloned (fatal: repository", "does not exist");
        new Git(empty).run("init", "-q");
        assertThat(fixture.refusal(fixture.dora(empty, "skep/dora", null)))
                .contains("has no commit yet");
        for (String branch : List.of("-f", "a..b", "", "x y", "HEAD:refs")) {
            assertThat(fixture.refusal(fixture.dora(fixture.owner.folder, branch, null)))
                    .contains("can have no branch");
        }
        assertThat(fixture.refusal(fixture.dora(fixture.owner.folder, "b", "not for you")))
                .isEqualTo("workspace: not for you");
        Files.createDirectories(fixture.dora().repository());
        assertThat(fixture.refusal(fixture.dora())).contains("is in the way");
    }

    @Test
    void another_repository_does_not_take_the_place_of_one_that_is_worked_in()
            throws InterruptedException {
        fixture.prepared();
        Git other = Git.repository(dir.resolve("other"));
        assertThat(fixture.refusal(fixture.dora(other.folder, "skep/dora", null)))
                .contains("is a clone of " + fixture.owner.folder);
    }

    private static List<String> paths(WorkspaceDiff diff) {
        return diff.files().stream().map(file -> file.change() + " " + file.path()).toList();
    }
}
