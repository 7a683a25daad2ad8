package dev.skep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.kernel.event.FleetEvent;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host that was silent for longer than its lease, and is there all the same. */
class RunsTakenForLostTest {
    /** Over before the worker's second beat. */
    private static final QueueSettings LEASES =
            new QueueSettings(Duration.ofSeconds(1), Duration.ofSeconds(5));

    @TempDir Path folder;

    @Test
    void the_next_attempt_begins_when_nothing_of_the_earlier_one_is_left() throws Exception {
        try (WorkerFixture fixture = new WorkerFixture(folder, LEASES)) {
            fixture.shell(
                    """
                    exec 8> lock
                    flock -n 8 || echo beside >> beside.txt
                    echo run >> runs.txt
                    [ "$(wc -l < runs.txt)" -gt 1 ] || sleep 1000
                    """);
            FleetEvent.JobRunDone done = fixture.awaitDone();
            while (!done.status().equals("succeeded")) {
                assertThat(done.status()).isEqualTo("lost");
                done = fixture.awaitDone();
            }
            assertThat(folder.resolve("home/beside.txt")).doesNotExist();
        }
    }
}
