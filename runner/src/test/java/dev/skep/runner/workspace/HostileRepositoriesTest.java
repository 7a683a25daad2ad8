package dev.skep.runner.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever may write to a repository can make git run programs; here it must not. */
class HostileRepositoriesTest {
    @TempDir Path dir;
    private WorkspaceFixture fixture;
    private Path ran;
    private Path program;

    @BeforeEach
    void start() throws IOException {
        fixture = new WorkspaceFixture(dir);
        // Where an agent's user may write, too.
        Path open = Files.createTempDirectory("hostile");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        ran = open.resolve("ran");
        program = open.resolve("program");
        Files.writeString(
                program, "#!/bin/sh\necho \"$0 $*\" >>" + ran + "\ncat 2>/dev/null\nexit 0\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
        Files.deleteIfExists(ran);
        Files.deleteIfExists(program);
        Files.deleteIfExists(program.resolveSibling(""));
    }

    /** All that a repository can be told to run, or to read and write elsewhere. */
    private void poison(Git git, Path gitFolder) throws IOException {
        String run = program.toString();
        for (String key :
                List.of(
                        "core.fsmonitor",
                        "core.pager",
                        "core.editor",
                        "core.sshCommand",
                        "core.askPass",
                        "core.alternateRefsCommand",
                        "core.gitProxy",
                        "diff.external",
                        "diff.evil.command",
                        "diff.evil.textconv",
                        "filter.evil.clean",
                        "filter.evil.smudge",
                        "filter.evil.process",
                        "merge.evil.driver",
                        "gpg.program",
                        "pager.diff",
                        "pager.rev-list",
                        "uploadpack.packObjectsHook",
                        "credential.helper",
                        "remote.origin.uploadpack",
                        "remote.evil.uploadpack",
                        "trace2.eventTarget")) {
            git.run("config", key, run);
        }
        git.run("config", "alias.diff", "!" + run);
        git.run("config", "alias.add", "!" + run);
        git.run("config", "log.showSignature", "true");
        git.run("config", "filter.evil.required", "true");
        git.run("config", "core.hooksPath", program.resolveSibling("").toString());
        git.run("config", "remote.evil.url", "file://" + fixture.owner.folder);
        git.run("config", "remote.evil.promisor", "true");
        for (String hook :
                List.of(
                        "post-checkout",
                        "post-index-change",
                        "pre-auto-gc",
                        "reference-transaction")) {
            Path file = gitFolder.resolve("hooks").resolve(hook);
            Files.createDirectories(file.resolveSibling(""));
            Files.copy(program, file);
        }
        Files.createDirectories(gitFolder.resolve("info"));
        Files.writeString(
                gitFolder.resolve("info/attributes"), "* filter=evil diff=evil merge=evil\n");
    }

    @Test
    void an_agents_repository_runs_nothing_when_it_is_looked_at() throws Exception {
        Git dora = fixture.prepared();
        dora.write("a.txt", "one\n");
        dora.commit("Mine");
        dora.write(".gitattributes", "* filter=evil diff=evil merge=evil\n");
        dora.write("new.txt", "new\n");
        poison(dora, dora.folder.resolve(".git"));

        assertThat(fixture.workspaces.diff(fixture.dora()).text()).contains("-two", "+new");
        assertThat(new String(fixture.workspaces.patch(fixture.dora()), StandardCharsets.UTF_8))
                .contains("+new");
        assertThat(fixture.workspaces.unmerged(fixture.dora()).commits()).containsExactly("Mine");
        fixture.prepared();
        fixture.workspaces.remove(fixture.dora(), false);
        assertThat(ran).doesNotExist();
        // The poison works: the same questions, asked without care, run it.
        Files.writeString(
                dora.folder.resolve(".git/config"),
                dora.read(".git/config").replace("required = true", "required = false"));
        dora.run("status");
        assertThat(ran).exists();
    }

    @Test
    void an_owners_repository_runs_nothing_when_it_is_cloned_and_asked() throws Exception {
        poison(fixture.owner, fixture.owner.folder.resolve(".git"));
        Git dora = fixture.prepared();
        dora.write("a.txt", "one\n");
        dora.commit("Mine");
        // A commit that the owner's repository promises to have elsewhere.
        Files.writeString(
                fixture.owner.folder.resolve(".git/config"),
                fixture.owner
                        .read(".git/config")
                        .replace(
                                "repositoryformatversion = 0",
                                "repositoryformatversion = 1\n[extensions]\npartialClone = evil\n[core]"));
        assertThat(fixture.workspaces.unmerged(fixture.dora()).commits()).containsExactly("Mine");
        assertThat(fixture.workspaces.remove(fixture.dora(), true))
                .isInstanceOf(Workspaces.Removed.Gone.class);
        assertThat(fixture.workspaces.prepare(fixture.dora()))
                .isInstanceOf(Workspaces.Prepared.Ready.class);
        assertThat(ran).doesNotExist();
    }

    @Test
    void an_agent_cannot_hide_what_it_changed() throws Exception {
        fixture.owner.write("b.txt", "b\n");
        fixture.owner.write("c.txt", "c\n");
        fixture.owner.commit("More");
        Git dora = fixture.prepared();
        dora.run("update-index", "--assume-unchanged", "a.txt");
        dora.run("update-index", "--skip-worktree", "b.txt");
        dora.write("a.txt", "A\n");
        dora.write("b.txt", "B\n");
        dora.write("c.txt", "C\n");
        dora.write("hidden.txt", "here\n");
        dora.write(".git/info/exclude", "hidden.txt\n");
        dora.write(".git/info/attributes", "c.txt -diff\n");
        dora.write(".gitattributes", "c.txt -diff\n");
        dora.run("config", "core.fileMode", "false");
        Files.setPosixFilePermissions(
                dora.folder.resolve("a.txt"), PosixFilePermissions.fromString("rwxr-xr-x"));
        dora.run("replace", "HEAD", "HEAD~1");
        String text = fixture.workspaces.diff(fixture.dora()).text();
        assertThat(text).contains("+A", "+B", "-c\n+C", "+here", "new mode 100755");
    }

    @Test
    void a_workspace_that_is_a_link_leads_nobody_elsewhere() throws Exception {
        Git dora = fixture.prepared();
        Path aside = dora.folder.resolveSibling("aside");
        Files.move(dora.folder, aside);
        Path victim = Files.createDirectories(dir.resolve("victim"));
        Files.writeString(victim.resolve("precious"), "p");
        Files.createSymbolicLink(dora.folder, victim);
        assertThat(fixture.workspaces.remove(fixture.dora(), true))
                .isInstanceOf(Workspaces.Removed.Gone.class);
        assertThat(dora.folder).doesNotExist();
        assertThat(victim.resolve("precious")).exists();
    }
}
