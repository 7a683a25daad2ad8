package dev.skep.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log file as a service writes it, when what it tells of came from somebody else. */
class LinesOfTheLogTest {
    private static final String FORGED = "2027-01-01T00:00:00.000Z INFO  Door admin signed in";

    @Test
    void what_somebody_sent_stays_in_its_line_and_moves_no_cursor(@TempDir Path folder)
            throws Exception {
        String name = "web-1\r\n" + FORGED + "\u001b[2J\u009b1A\u2028\u202e";
        try (LogSetup _ = LogSetup.open(folder)) {
            Logger log = LoggerFactory.getLogger("dev.skep.test.Door");
            log.warn("host refused name={}", name);
            log.error("a failure", new IllegalStateException(name, new RuntimeException(name)));
        }

        List<String> lines = Files.readAllLines(folder.resolve("logs").resolve("skep.log"));

        assertThat(lines.getFirst())
                .endsWith(
                        "WARN  Door host refused name=web-1\\r\\n"
                                + FORGED
                                + "\\u001b[2J\\u009b1A\\u2028\\u202e");
        assertThat(lines).noneMatch(line -> line.startsWith(FORGED));
        assertThat(lines.get(1)).endsWith("ERROR Door a failure");
        assertThat(lines.get(2)).startsWith("java.lang.IllegalStateException: web-1\\r\\n");
        assertThat(lines)
                .anyMatch(line -> line.startsWith("Caused by: java.lang.RuntimeException"));
        assertThat(lines).anyMatch(line -> line.startsWith("\tat "));
        assertThat(String.join("", lines).chars())
                .allMatch(c -> c == '\t' || !Character.isISOControl(c));
    }

    @Test
    void a_failure_that_tells_what_somebody_sent_forges_no_line_either(@TempDir Path folder)
            throws Exception {
        String name = "web-1\r\n" + FORGED + "\u001b[2J\u202e";
        var failure = new IllegalStateException(name, new RuntimeException(name));
        failure.addSuppressed(new IllegalArgumentException(name, failure));

        Path log =
                StackTraceLog.append(Optional.of(folder), folder, Instant.EPOCH, failure)
                        .orElseThrow();

        List<String> lines = Files.readAllLines(log);
        assertThat(lines).noneMatch(line -> line.startsWith(FORGED));
        assertThat(lines.getFirst())
                .startsWith("1970-01-01T00:00:00Z java.lang.IllegalStateException: web-1\\r\\n");
        assertThat(lines)
                .anyMatch(line -> line.startsWith("\tat "))
                .anyMatch(line -> line.startsWith("Caused by: java.lang.RuntimeException: web-1"))
                .anyMatch(line -> line.startsWith("\tSuppressed: java.lang.IllegalArgument"));
        assertThat(String.join("", lines).chars())
                .allMatch(c -> c == '\t' || (!Character.isISOControl(c) && c != '\u202e'));
    }

    @Test
    void usual_text_is_left_as_it_is() {
        assertThat(SingleLineText.of("grüße an 東京 – 😀 a\\nb")).isEqualTo("grüße an 東京 – 😀 a\\nb");
    }
}
