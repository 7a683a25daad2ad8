package dev.skep.sync;

import static dev.skep.agents.AgentTables.MAIL_MESSAGES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a runner writes down of its hubs when it ends: by that its rows are purged later. */
@Timeout(60)
class ShuttingDownARunnerTest {
    @TempDir Path folder;
    private LineHub hub;
    private LineRunner runner;

    @BeforeEach
    void open() {
        hub = new LineHub(folder, SyncLimits.DEFAULT);
        runner = new LineRunner(folder, "FAR", SyncLimits.DEFAULT);
    }

    @AfterEach
    void close() {
        runner.close();
        hub.close();
    }

    @Test
    void what_the_hub_took_is_written_down_as_pulled() {
        runner.link(hub.url());
        until(() -> runner.lag() == 0);
        runner.mail(3, 100);
        until(() -> hub.count(MAIL_MESSAGES) == 3 && runner.lag() == 0);
        long confirmed = runner.sync.confirmed("hub");

        runner.unlink();
        runner.sync.close();
        assertThat(runner.pulled()).isEqualTo(confirmed);
    }

    @Test
    void what_the_hub_has_only_set_aside_is_not_written_down_as_pulled() {
        runner.mail(1, 100);
        runner.link(hub.url());
        until(() -> hub.count(MAIL_MESSAGES) == 1 && runner.lag() == 0);
        long before = runner.sync.confirmed("hub");
        runner.mailOfNobody();
        until(() -> runner.lag() == 0);
        assertThat(hub.count(MAIL_MESSAGES)).as("it is aside").isEqualTo(1);

        runner.unlink();
        runner.sync.close();
        assertThat(runner.pulled()).isEqualTo(before);
    }

    private static void until(Callable<Boolean> holds) {
        Eventually.holds(
                "rows and links are where the test wants them", Duration.ofSeconds(20), holds);
    }
}
