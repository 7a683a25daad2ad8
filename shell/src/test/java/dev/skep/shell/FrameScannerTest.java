package dev.skep.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FrameScannerTest {
    private final StringBuilder output = new StringBuilder();
    private final List<String> reports = new ArrayList<>();

    private void scan(String text, Random random) {
        var scanner =
                new FrameScanner(
                        "t0k",
                        new FrameScanner.Sink() {
                            @Override
                            public void output(byte[] bytes, int from, int length) {
                                output.append(
                                        new String(bytes, from, length, StandardCharsets.UTF_8));
                            }

                            @Override
                            public void report(String text) {
                                reports.add(text);
                                output.append('|');
                            }
                        });
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int at = 0;
        while (at < bytes.length) {
            int step = Math.min(bytes.length - at, 1 + random.nextInt(7));
            byte[] chunk = new byte[8];
            System.arraycopy(bytes, at, chunk, 0, step);
            scanner.feed(chunk, step);
            at += step;
        }
    }

    @Test
    void reports_are_found_however_the_bytes_arrive() {
        for (int seed = 0; seed < 200; seed++) {
            output.setLength(0);
            reports.clear();
            scan(
                    "a\036t0k one\036b\036\036t0k two\n/x\036\036t0x no\036 \036t0k three\036c",
                    new Random(seed));
            assertThat(reports).as("seed %d", seed).containsExactly("one", "two\n/x", "three");
            assertThat(output).hasToString("a|b\036|\036t0x no\036 |c");
        }
    }

    @Test
    void a_report_without_end_is_output_after_all() {
        scan("\036t0k " + "x".repeat(70_000) + "\036t0k real\036", new Random(1));
        assertThat(reports).containsExactly("real");
        assertThat(output.toString()).startsWith("\036t0k xxx");
    }
}
