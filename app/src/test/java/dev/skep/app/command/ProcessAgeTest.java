package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class ProcessAgeTest {
    private static final String STAT =
            "4711 (a (b) c) S 1 4711 4711 0 -1 4194560 2 0 0 0 0 0 0 0 20 0 1 0 45948 6000 1 2 3";

    @Test
    void it_is_told_in_hundredths_of_a_second_since_the_boot() {
        assertThat(ProcessAge.ofLinux(STAT, "460.21 468.23\n")).isEqualTo(Duration.ofMillis(730));
    }

    @Test
    void this_process_is_older_than_its_jvm_says_but_not_by_much() {
        Duration jvm =
                Duration.ofMillis(
                        java.lang.management.ManagementFactory.getRuntimeMXBean().getUptime());

        assertThat(ProcessAge.now(InstantSource.system()))
                .isBetween(jvm.minusMillis(50), jvm.plusSeconds(20));
    }
}
