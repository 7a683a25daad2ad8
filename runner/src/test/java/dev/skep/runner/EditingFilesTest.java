package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.session.LogEntry;
import dev.skep.kernel.identity.Actor;
import dev.skep.runner.approval.ApprovalChoice;
import dev.skep.runner.approval.ApprovalLookup;
import dev.skep.runner.approval.Decider;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The built-in command {@code edit}, through a real shell. */
final class EditingFilesTest {
    @TempDir Path dir;

    private static String edit(String path, String before, String after) {
        return "edit " + Json.text(Map.of("path", path, "old_text", before, "new_text", after));
    }

    private Path file(String name, String text) throws Exception {
        Path file = dir.resolve("work/alice").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return file;
    }

    private TestRunner start(String more, String... lines) {
        TestRunner.agent(dir, "alice", "prompt: x\nmodel: m\n" + more);
        return TestRunner.start(dir, new PlayedModels().model("m", commands(List.of(lines))));
    }

    private static JsonFields diff(TestRunner test) {
        LogEntry entry =
                test
                        .runner
                        .stores()
                        .log()
                        .tail(
                                test.host.principal(),
                                test.runner.agents().getFirst().id(),
                                null,
                                1000)
                        .stream()
                        .filter(each -> each.type() == LogEntry.Type.OUTPUT)
                        .filter(each -> each.detail() != null)
                        .findFirst()
                        .orElseThrow();
        return Json.fields(String.valueOf(entry.detail())).list("diffs").getFirst();
    }

    @Test
    void a_piece_of_a_file_is_replaced_and_the_log_shows_the_change() throws Exception {
        Path file = file("a b's.txt", "one\r\ntwo\r\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
        try (TestRunner test = start("", "cd /tmp", "cd -", edit("a b's.txt", "two\n", "2\n3\n"))) {
            test.recorder.await("alice OUTPUT: Edited a b's.txt, line 2.");
            assertThat(Files.readString(file)).isEqualTo("one\r\n2\r\n3\r\n");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rwxr-x--x");
            JsonFields diff = diff(test);
            assertThat(diff.text("path")).isEqualTo(file.toRealPath().toString());
            assertThat(diff.text("oldText")).isEqualTo("two\r\n");
            assertThat(diff.text("newText")).isEqualTo("2\r\n3\r\n");
            assertThat(dir.resolve("work/alice").toFile().list()).containsExactly("a b's.txt");
        }
    }

    @Test
    void a_file_is_made_where_none_is() throws Exception {
        file("old.txt", "old");
        try (TestRunner test =
                start("", edit("sub/new.txt", "", "grün\n"), edit("old.txt", "", "new"))) {
            test.recorder.await("alice OUTPUT: Made sub/new.txt.");
            test.recorder.await("alice OUTPUT: error: edit: old.txt is there already");
            assertThat(dir.resolve("work/alice/sub/new.txt")).hasContent("grün\n");
            assertThat(dir.resolve("work/alice/old.txt")).hasContent("old");
        }
    }

    @Test
    void a_link_stays_one_and_a_large_file_is_whole_afterwards() throws Exception {
        String large = "é0123456789\n".repeat(40_000);
        Path file = file("large.txt", large + "end\n");
        Files.createSymbolicLink(file.resolveSibling("link"), file);
        try (TestRunner test = start("", edit("link", "end\n", "END\n"))) {
            test.recorder.await("alice OUTPUT: Edited link, line 40001.");
            assertThat(Files.readString(file)).isEqualTo(large + "END\n");
            assertThat(file.resolveSibling("link")).isSymbolicLink();
        }
    }

    @Test
    void what_cannot_be_edited_is_told_and_left() throws Exception {
        Files.write(file("binary", ""), new byte[] {1, 0, 2});
        file("large", "x".repeat(1024 * 1024 + 1));
        file("twice", "a\na\n");
        try (TestRunner test =
                start(
                        "",
                        edit("binary", "a", "b"),
                        edit("large", "a", "b"),
                        edit("missing", "a", "b"),
                        edit(".", "a", "b"),
                        edit("twice", "a", "b"),
                        "edit twice",
                        "edit {\"path\":\"twice\"}")) {
            test.recorder.await("error: edit: binary is no text in UTF-8");
            test.recorder.await("error: edit: large has more than 1024 KB");
            test.recorder.await("error: edit: missing is not there");
            test.recorder.await("error: edit: . is a folder");
            test.recorder.await("error: edit: twice contains old_text 2 times, in lines 1, 2;");
            test.recorder.await(
                    2, "error: edit: takes one JSON object with path, old_text and new_text");
            assertThat(dir.resolve("work/alice/twice")).hasContent("a\na\n");
        }
    }

    @Test
    void rules_look_at_its_path_and_a_person_at_its_change() throws Exception {
        file("src/a", "1");
        file("b", "1");
        file("keep", "1");
        String rules = "protection: manual\nallow: [\"edit src/*\"]\ndeny: [\"edit keep\"]\n";
        try (TestRunner test =
                start(
                        rules,
                        edit("src/a", "1", "2"),
                        edit("x/../keep", "1", "2"),
                        edit("src/../b", "1", "2"))) {
            test.recorder.await("alice OUTPUT: Edited src/a, line 1.");
            test.recorder.await("error: denied: commands like 'edit keep' never run here");
            test.recorder.await("alice is AWAITING_APPROVAL: edit {");
            assertThat(dir.resolve("work/alice/b")).hasContent("1");
            var waiting = test.runner.agentService().waiting(test.host.principal());
            String detail =
                    String.valueOf(
                            test.runner
                                    .stores()
                                    .approvals()
                                    .find(test.host.principal(), waiting.getFirst())
                                    .orElseThrow()
                                    .detail());
            JsonFields shown = Json.fields(detail);
            assertThat(shown.text("path")).isEqualTo("b");
            assertThat(shown.list("diff").getFirst().text("newText")).isEqualTo("2");
            var unused =
                    test.runner
                            .agentService()
                            .decide(
                                    Decider.here(Actor.local(test.host.org())),
                                    ApprovalLookup.matching(waiting, ""),
                                    ApprovalChoice.ONCE,
                                    null);
            test.recorder.await("alice OUTPUT: Edited src/../b, line 1.");
            assertThat(dir.resolve("work/alice/b")).hasContent("2");
        }
    }

    @Test
    void a_secret_is_in_no_change_of_the_log() throws Exception {
        file("conf", "key=s3cr3t-value-1\nport=1\n");
        TestRunner.agent(
                dir, "alice", "prompt: x\nmodel: m\nenv: { API_KEY: \"${env.API_KEY}\" }\n");
        PlayedModels models =
                new PlayedModels()
                        .model("m", commands(List.of(edit("conf", "\nport=1", " \nport=2"))));
        try (TestRunner test =
                TestRunner.start(dir, models, Map.of("API_KEY", "s3cr3t-value-1"), null)) {
            test.recorder.await("alice OUTPUT: Edited conf");
            assertThat(diff(test).text("newText")).contains("port=2").doesNotContain("s3cr3t");
            assertThat(dir.resolve("work/alice/conf")).hasContent("key=s3cr3t-value-1 \nport=2\n");
        }
    }
}
