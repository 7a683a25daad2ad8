package dev.skep.runner.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Git as the owner of a repository, or an agent, uses it. */
final class Git {
    final Path folder;

    Git(Path folder) {
        this.folder = folder;
    }

    /** A repository with one commit of two files. */
    static Git repository(Path folder) {
        Git git = new Git(folder);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        git.run("init", "-q", "-b", "main");
        git.write("a.txt", "one\ntwo\nthree\n");
        git.write(".gitignore", "*.log\n");
        git.commit("First");
        return git;
    }

    void commit(String message) {
        run("add", "-A");
        run("commit", "-q", "-m", message);
    }

    void write(String file, String text) {
        try {
            Path path = folder.resolve(file);
            Files.createDirectories(path.resolveSibling(""));
            Files.writeString(path, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String run(String... words) {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "git",
                                "-c",
                                "safe.directory=*",
                                "-c",
                                "user.name=o",
                                "-c",
                                "user.email=o@example.org",
                                "-C",
                                folder.toString()));
        all.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
        builder.environment()
                .putAll(Map.of("GIT_CONFIG_GLOBAL", "/dev/null", "GIT_CONFIG_NOSYSTEM", "1"));
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String text =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as("%s: %s", all, text).isZero();
            return text.strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
