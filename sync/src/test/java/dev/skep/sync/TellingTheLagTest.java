package dev.skep.sync;

import static dev.skep.agents.AgentTables.MAIL_MESSAGES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.sync.hub.HubSync;
import dev.skep.sync.link.RunnerSyncProtocol;
import dev.skep.sync.sql.HostSyncStatusReader;
import dev.skep.sync.sql.SyncReports;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.SlowLine;
import dev.skep.transport.link.LinkServer;
import dev.skep.transport.socket.SocketLimits;
import dev.skep.wire.WireLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is said to be behind is behind, over a line that is slow or lets nothing through. The hub
 * asks for signs of life more often than a real one; {@code -Dskep.slow=64} is the long form.
 */
@Timeout(120)
class TellingTheLagTest {
    private static final boolean LONG = System.getProperty("skep.slow") != null;
    private static final SocketLimits SOCKETS =
            LONG
                    ? LinkServer.LIMITS
                    : new SocketLimits(WireLimits.MESSAGE, 64 << 10, Duration.ofMillis(700));
    private static final Duration SOON = Duration.ofSeconds(15);

    @TempDir Path folder;
    private LineHub hub;
    private SlowLine line;
    private LineRunner runner;

    @BeforeEach
    void open() {
        hub = new LineHub(folder, SyncLimits.DEFAULT, SOCKETS);
        line = new SlowLine(hub.port(), 10_000);
        runner = new LineRunner(folder, "FAR", SyncLimits.DEFAULT);
    }

    @AfterEach
    void close() {
        runner.close();
        line.close();
        hub.close();
    }

    private static void until(Callable<Boolean> holds) {
        Eventually.holds("rows and links are where the test wants them", SOON, holds);
    }

    private PeerSyncStatus atHub() {
        return new HostSyncStatusReader(
                        hub.database,
                        new SyncReports(hub.database, runner.schema),
                        this::isLinked,
                        hub.hub::asked)
                .of(new Principal.Local(runner.self.org()))
                .getFirst();
    }

    private boolean isLinked(HostId host) {
        return hub.hub.links().count() > 0;
    }

    private RunnerSyncProtocol.SyncStatus atRunner() {
        return runner.sync.status("hub").orElseThrow();
    }

    @Test
    void rows_count_until_the_hub_confirmed_them_and_no_longer() {
        runner.mail(1, 100);
        assertThat(runner.lag()).as("never linked: all, itself and its agent too").isEqualTo(3);
        runner.link(line.url());
        until(() -> runner.lag() == 0);
        assertThat(hub.count(MAIL_MESSAGES)).isEqualTo(1);
    }

    @Test
    void what_is_on_its_way_over_a_slow_line_is_behind_until_it_is_there() {
        runner.link(line.url());
        until(() -> runner.lag() == 0);
        line.carry(128);
        runner.mail(20, 1_000);
        until(
                () -> {
                    // Counted in this order, or rows might arrive in between.
                    long arrived = hub.count(MAIL_MESSAGES);
                    long lag = runner.lag();
                    assertThat(lag + hub.count(MAIL_MESSAGES)).isGreaterThanOrEqualTo(20);
                    return arrived == 20 && lag == 0;
                });
    }

    @Test
    void a_line_that_lets_nothing_through_shows_at_both_ends() {
        runner.link(line.url());
        until(() -> runner.lag() == 0 && atHub().state().equals("connected"));
        line.goSilent();
        Instant silent = Instant.now();
        runner.mail(3, 100);

        assertThat(runner.lag()).isEqualTo(3);
        until(() -> atRunner().awaitedSince().isPresent());
        assertThat(atRunner().movedAt()).as("no progress since").isBefore(silent);

        until(() -> atHub().state().equals("away"));
        assertThat(atHub().lag()).as("nobody knows what it wrote").isNull();
        assertThat(atHub().unknownSince()).isNotNull();
        assertThat(runner.lag()).isEqualTo(3);
        if (LONG) {
            until(() -> !runner.isConnected());
            assertThat(Duration.between(silent, Instant.now())).isLessThan(SOON);
            line.speakAgain();
            Eventually.holds(
                    "rows and links are where the test wants them",
                    Duration.ofSeconds(60),
                    () -> runner.lag() == 0);
        }
    }

    @Test
    void an_answer_that_is_slow_makes_progress_though_it_is_not_there() {
        runner.link(line.url());
        until(() -> runner.lag() == 0);
        line.carry(64);
        runner.mail(1, 30_000);
        until(() -> awaited().isPresent());
        Instant first = awaited().orElseThrow().movedAt();
        until(() -> awaited().filter(now -> now.movedAt().isAfter(first)).isPresent());
        assertThat(hub.count(MAIL_MESSAGES)).as("it is slow, and comes").isZero();
    }

    private Optional<HubSync.PendingResponse> awaited() {
        return Optional.ofNullable(hub.hub.asked().get(runner.self.id()));
    }
}
