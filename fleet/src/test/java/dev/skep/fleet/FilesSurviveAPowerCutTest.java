package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.directory.secret.PrivateFile;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesSurviveAPowerCutTest {
    @TempDir Path folder;
    private ForgetfulDisk disk;

    @BeforeEach
    void makeADisk() throws Exception {
        assumeTrue(ForgetfulDisk.isPossible(folder), "needs root, loop devices and mkfs.ext4");
        disk = ForgetfulDisk.in(folder);
    }

    @AfterEach
    void removeIt() throws Exception {
        if (disk != null) {
            disk.close();
        }
    }

    /** The control: without it, the tests below could not fail. */
    @Test
    void a_file_that_is_synced_and_renamed_but_whose_folder_is_not_synced_is_lost()
            throws Exception {
        Path part = disk.root().resolve("file.part");
        Files.writeString(part, "text", StandardOpenOption.CREATE_NEW, StandardOpenOption.DSYNC);
        Path file = disk.root().resolve("file");
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);

        disk.cut();

        assertThat(file).doesNotExist();
    }

    @Test
    void a_new_file_in_new_folders_is_whole() throws Exception {
        Path file = DurableFiles.createFolders(disk.root().resolve("a/b")).resolve("file");
        DurableFiles.create(file, DurableFiles.Access.USUAL, "text");

        disk.cut();

        assertThat(file).hasContent("text");
    }

    @Test
    void a_file_that_was_replaced_has_its_new_text() throws Exception {
        Path file = disk.root().resolve("file");
        DurableFiles.create(file, DurableFiles.Access.USUAL, "before");
        DurableFiles.replace(file, DurableFiles.Access.USUAL, "after");

        disk.cut();

        assertThat(file).hasContent("after");
    }

    @Test
    void a_key_file_is_whole_and_a_removed_one_stays_removed() throws Exception {
        PrivateFile kept = new PrivateFile(disk.root().resolve("kept"));
        PrivateFile removed = new PrivateFile(disk.root().resolve("removed"));
        kept.write("secret");
        removed.write("secret");
        removed.delete();

        disk.cut();

        assertThat(kept.read()).contains("secret");
        assertThat(removed.read()).isEmpty();
    }

    @Test
    void a_new_agent_is_there_with_its_file() throws Exception {
        Path dataDir = disk.root().resolve("skep");
        succeeds("agents", "new", "dora", "--model", "scripted:dora", "--data-dir", "" + dataDir);
        Path file = dataDir.resolve("agents/dora.yaml");
        String written = Files.readString(file);

        disk.cut();

        assertThat(file).hasContent(written);
    }

    @Test
    void a_backup_is_there_and_what_was_restored_from_it_too() throws Exception {
        Path made = folder.resolve("made");
        Files.createDirectories(made.resolve("agents"));
        Files.writeString(made.resolve("agents/dora.yaml"), "username: dora\nmodel: none\n");
        succeeds("operators", "add", "olga", "--data-dir", "" + made);
        Path backup = disk.root().resolve("skep.backup");
        succeeds("backup", "" + backup, "--data-dir", "" + made);

        disk.cut();
        assertThat(backup).exists();

        Path dataDir = disk.root().resolve("skep");
        Files.createDirectories(dataDir);
        Files.writeString(dataDir.resolve("other"), "what was there before");
        succeeds("restore", "" + backup, "--force", "--data-dir", "" + dataDir);

        disk.cut();

        assertThat(dataDir.resolve("agents/dora.yaml")).hasContent("username: dora\nmodel: none\n");
        assertThat(succeeds("operators", "--data-dir", "" + dataDir)).contains("olga");
    }

    private static String succeeds(String... command) throws IOException, InterruptedException {
        SkepCommand.Ended ended = SkepCommand.run(command);
        assertThat(ended.status()).as(ended.said()).isZero();
        return ended.said();
    }
}
