package dev.skep.sync;

import static dev.skep.agents.AgentTables.MAIL_MESSAGES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import dev.skep.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody sets the clock of a runner's machine: no hub is taken for silent. */
@Timeout(60)
class LinksWhileAClockIsSetTest {
    private final SettableClock wall = SettableClock.atNewYear();

    /** How often a link has looked how long its hub is silent, or heard of it. */
    private final AtomicInteger looks = new AtomicInteger();

    @TempDir Path folder;
    private LineHub hub;
    private LineRunner runner;

    @BeforeEach
    void open() {
        hub = new LineHub(folder, SyncLimits.DEFAULT);
        runner = new LineRunner(folder, "FAR", SyncLimits.DEFAULT, wall, this::steady);
        runner.link(hub.url());
        until(() -> runner.lag() == 0);
    }

    private Instant steady() {
        looks.incrementAndGet();
        return Instant.now();
    }

    @AfterEach
    void close() {
        runner.close();
        hub.close();
    }

    @Test
    void a_clock_that_is_set_ahead_or_back_ends_no_link() {
        long link = link();
        for (Duration step : new Duration[] {Duration.ofHours(2), Duration.ofDays(-3)}) {
            wall.advance(step);
            int before = looks.get();
            until(() -> looks.get() >= before + 2);
        }
        runner.mail(1, 100);
        until(() -> hub.count(MAIL_MESSAGES) == 1);
        assertThat(link()).as("the link is the first").isEqualTo(link);
    }

    private long link() {
        return hub.database.read(
                db ->
                        db.first(
                                        "SELECT link_no FROM hub_sync_state WHERE id = ?",
                                        row -> row.number("link_no"),
                                        runner.self.id().value())
                                .orElseThrow());
    }

    private static void until(Callable<Boolean> holds) {
        Eventually.holds(
                "rows and links are where the test wants them", Duration.ofSeconds(20), holds);
    }
}
