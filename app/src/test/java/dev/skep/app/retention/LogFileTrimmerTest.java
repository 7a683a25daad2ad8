package dev.skep.app.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.log.StackTraceLog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTrimmerTest {
    @TempDir Path folder;

    @Test
    void a_log_that_is_too_long_is_put_aside_while_its_writer_goes_on() throws IOException {
        Path log = Files.createDirectories(folder.resolve("servers/web")).resolve("out.log");
        Files.writeString(folder.resolve("servers/short.log"), "short");
        try (OutputStream writer =
                Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            writer.write(new byte[11 << 20]);
            new LogFileTrimmer(List.of(folder.resolve("servers"), folder.resolve("none"))).round();
            writer.write("on".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(log).hasContent("on");
        assertThat(log.resolveSibling("out.log.1")).hasSize(11 << 20);
        assertThat(folder.resolve("servers/short.log")).hasContent("short");
    }

    @Test
    void failures_fill_two_files_at_most() throws IOException {
        var failure = new IllegalStateException("x".repeat(400_000));
        for (int i = 0; i < 8; i++) {
            StackTraceLog.append(Optional.of(folder), folder, Instant.EPOCH, failure);
        }
        Path log = folder.resolve("logs/failures.log");
        assertThat(Files.size(log) + Files.size(log.resolveSibling("failures.log.1")))
                .isLessThan(4 << 20);
    }
}
