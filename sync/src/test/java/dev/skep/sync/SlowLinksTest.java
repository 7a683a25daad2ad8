package dev.skep.sync;

import static dev.skep.agents.AgentTables.MAIL_MESSAGES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.FeedScope;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.SlowLine;
import dev.skep.wire.Frame;
import dev.skep.wire.Message;
import dev.skep.wire.MessageRows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A backlog arrives over a line of 256 kbit/s in about the time that the line takes for it, though
 * that is far longer than anybody waits for an answer; {@code -Dskep.slow=64} is the long form, a
 * slower line and the waiting times of the product.
 */
@Timeout(600)
class SlowLinksTest {
    private static final long KBIT = Long.getLong("skep.slow", 256);
    private static final boolean LONG = System.getProperty("skep.slow") != null;
    private static final int LETTERS = 1_000;

    /** What the line takes for 4 seconds, or for as long as used to be too long. */
    private static final int MAILS = (int) (KBIT * 1_000 / 8 * (LONG ? 100 : 5) / LETTERS);

    /**
     * One page of a fixed size, that would take more than twice as long as a runner waits for a
     * word of its hub; less would lie in buffers on the way, and arrive though the hub gave up.
     */
    private static final int FORWARDED = (int) (KBIT * 1_000 / 8 * (LONG ? 300 : 10) / LETTERS);

    private static final SyncLimits USUAL = SyncLimits.DEFAULT;
    private static final SyncLimits LIMITS =
            LONG
                    ? USUAL
                    : new SyncLimits(
                            USUAL.page(),
                            USUAL.slots(),
                            USUAL.patience(),
                            Duration.ofSeconds(2),
                            Duration.ofSeconds(1),
                            USUAL.tailBytes());

    @TempDir Path folder;
    private LineHub hub;
    private SlowLine line;
    private LineRunner far;

    @BeforeEach
    void open() {
        hub = new LineHub(folder, LIMITS);
        line = new SlowLine(hub.port(), KBIT);
        far = new LineRunner(folder, "FAR", LIMITS);
    }

    @AfterEach
    void close() {
        far.close();
        line.close();
        hub.close();
    }

    @Test
    void a_backlog_comes_from_the_runner_at_the_rate_of_the_line() {
        far.mail(MAILS, LETTERS);
        long compressed = compressed(far, new FeedScope.OwnedBy(far.self.org(), far.self.id()));
        assertArrives(compressed, () -> hub.count(MAIL_MESSAGES) == MAILS);
    }

    @Test
    void what_others_wrote_comes_to_the_runner_at_the_rate_of_the_line() {
        try (LineRunner near = new LineRunner(folder, "DAN", LIMITS)) {
            near.mail(FORWARDED, LETTERS);
            near.link(hub.url());
            until(() -> hub.count(MAIL_MESSAGES) == FORWARDED);
            long compressed =
                    compressed(near, new FeedScope.OwnedBy(near.self.org(), near.self.id()));
            assertArrives(compressed, () -> far.count(MAIL_MESSAGES) == FORWARDED);

            // The runner is up to date, and gets the next as it is written.
            until(() -> far.sync.confirmed("hub") > 0);
            near.mail(MAILS / 2, LETTERS);
            until(() -> far.count(MAIL_MESSAGES) == FORWARDED + MAILS / 2);
        }
    }

    @Test
    void one_row_that_takes_longer_than_anybody_waits_arrives_too() {
        int large = (int) (KBIT * 1_000 / 8 * (LONG ? 50 : 3));
        try (LineRunner near = new LineRunner(folder, "DAN", LIMITS)) {
            near.mail(1, large);
            near.link(hub.url());
            until(() -> hub.count(MAIL_MESSAGES) == 1);
            far.mail(1, large);
            far.link(line.url());
            until(() -> far.count(MAIL_MESSAGES) == 2 && hub.count(MAIL_MESSAGES) == 2);
        }
    }

    private void assertArrives(long compressed, Callable<Boolean> arrived) {
        long start = System.nanoTime();
        far.link(line.url());
        until(arrived);
        double seconds = (System.nanoTime() - start) / 1e9;
        assertThat(compressed / seconds / (KBIT * 1_000 / 8.0))
                .as("of the line's rate, %d bytes in %.1f s", compressed, seconds)
                .isGreaterThan(0.6);
    }

    /** How many bytes the rows are in the largest pages. */
    private static long compressed(LineRunner runner, FeedScope scope) {
        long bytes = 0;
        FeedPage page = new FeedPage(List.of(), 0, 0, true);
        while (page.hasMore()) {
            page = page(runner, scope, page.upto());
            bytes +=
                    Frame.of(
                                    new Message.CatchUpResponse(
                                            MessageRows.of(page.tables()), 0, 0, false, false))
                            .size();
        }
        return bytes;
    }

    private static FeedPage page(LineRunner runner, FeedScope scope, long after) {
        return runner.store.read(db -> db.page(scope, after, USUAL.page()));
    }

    private static void until(Callable<Boolean> holds) {
        Eventually.holds(
                "rows and links are where the test wants them",
                Duration.ofSeconds(LONG ? 400 : 25),
                holds);
    }
}
