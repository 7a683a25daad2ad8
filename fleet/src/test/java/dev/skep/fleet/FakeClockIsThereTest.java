package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.testkit.FakeClock;
import dev.skep.testkit.JavaCommand;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.assertj.core.data.TemporalUnitWithinOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where there is no libfaketime, what needs it is skipped and says how to get it. */
class FakeClockIsThereTest {
    private static final TemporalUnitWithinOffset A_MINUTE =
            new TemporalUnitWithinOffset(1, ChronoUnit.MINUTES);

    @TempDir Path folder;

    static void assumeThatItIs() {
        boolean required = Boolean.getBoolean("skep.faketime.required");
        assumeTrue(required || FakeClock.isPossible(), FakeClock.HOW_TO_INSTALL);
    }

    @Test
    void a_process_is_at_the_time_it_is_set_to_and_its_monotonic_time_advances() throws Exception {
        assumeThatItIs();
        FakeClock clock = FakeClock.in(folder);
        Process process =
                clock.governs(JavaCommand.process(TellingTheTime.class))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (PrintStream ask =
                        new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
                BufferedReader answers = process.inputReader(StandardCharsets.UTF_8)) {
            Told right = Told.by(ask, answers);
            clock.set(Duration.ofHours(2));
            Told ahead = Told.by(ask, answers);
            clock.set(Duration.ofDays(-3));
            Told behind = Told.by(ask, answers);

            Instant now = Instant.now();
            assertThat(right.wall()).isCloseTo(now, A_MINUTE);
            assertThat(ahead.wall()).isCloseTo(now.plus(Duration.ofHours(2)), A_MINUTE);
            assertThat(behind.wall()).isCloseTo(now.minus(Duration.ofDays(3)), A_MINUTE);
            assertThat(Duration.ofNanos(behind.nanos() - right.nanos()))
                    .isBetween(Duration.ZERO, Duration.ofMinutes(1));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private record Told(Instant wall, long nanos) {
        static Told by(PrintStream ask, BufferedReader answers) throws Exception {
            ask.println();
            String[] words = answers.readLine().split(" ", -1);
            return new Told(Instant.parse(words[0]), Long.parseLong(words[1]));
        }
    }

    /** Says what its clocks say, whenever it is asked. */
    static final class TellingTheTime {
        private TellingTheTime() {}

        public static void main(String[] arguments) throws Exception {
            BufferedReader asked =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (asked.readLine() != null) {
                System.out.println(Instant.now() + " " + System.nanoTime());
            }
        }
    }
}
