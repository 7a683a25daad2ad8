package dev.skep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.shell.redact.Redactor;
import dev.skep.wire.call.HeartbeatAnswer;
import dev.skep.wire.call.HubCall;
import dev.skep.wire.call.OutputChunk;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/**
 * A hub on a full disk refuses every beat, but whoever looks for work is told that there is none.
 */
@Isolated("it reads what all of this process log")
class WorkingForAHubThatCannotWriteTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(JobWorker.class);
    private final CountDownLatch logged = new CountDownLatch(1);
    private final ListAppender<ILoggingEvent> log =
            new ListAppender<>() {
                @Override
                protected void append(ILoggingEvent line) {
                    super.append(line);
                    logged.countDown();
                }
            };

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    @Test
    void looks_that_find_nothing_are_no_sign_that_it_works_again() throws InterruptedException {
        FullHub hub = new FullHub(logged);
        var worker =
                new JobWorker(
                        hub,
                        HubConsent.toAll("hub"),
                        new JobWorker.Parts(
                                "0.1.0",
                                List.of(),
                                new HostSlots(1),
                                Map::of,
                                _ -> Map.of(),
                                new Redactor(List.of())));
        worker.start();
        assertThat(hub.looked.await(30, TimeUnit.SECONDS)).isTrue();
        worker.close();

        assertThat(log.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .startsWith("no jobs from the hub")
                .contains("no space left");
    }

    /** Answers looks only once a refused beat was logged. */
    private static final class FullHub implements DispatchClient {
        private final CountDownLatch refused;
        private final CountDownLatch looked = new CountDownLatch(3);

        FullHub(CountDownLatch refused) {
            this.refused = refused;
        }

        @Override
        public String name() {
            return "full";
        }

        @Override
        public HeartbeatAnswer beat(HubCall.Heartbeat beat) {
            throw new SkepException(ErrorCode.DISK_FULL, "no space left for hub.db");
        }

        @Override
        public Optional<AssignedRun> next(Duration wait, AcceptedWork acceptedWork) {
            try {
                refused.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            looked.countDown();
            return Optional.empty();
        }

        @Override
        public void print(String runId, int attempt, List<OutputChunk> chunks) {
            throw new AssertionError("there is no run");
        }

        @Override
        public Optional<AssignedRun> report(
                String runId, int attempt, JobResult result, boolean more) {
            throw new AssertionError("there is no run");
        }
    }
}
