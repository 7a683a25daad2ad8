package dev.skep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.shell.redact.Redactor;
import dev.skep.testkit.Eventually;
import dev.skep.transport.route.JsonFields;
import dev.skep.wire.call.HeartbeatAnswer;
import dev.skep.wire.call.HubCall;
import dev.skep.wire.call.OutputChunk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SendingOutputTest {
    private static final byte[] NOTHING = {'{', '}'};

    private final Ear hub = new Ear();
    private final OutputSender output =
            new OutputSender(
                    hub,
                    new AssignedRun(
                            "hub",
                            "job",
                            "job-1",
                            "shell",
                            JsonFields.of(NOTHING),
                            1,
                            Optional.empty()),
                    new Redactor(List.of("open sesame", "0123456789abcdef")));

    @Test
    void a_run_that_ends_while_its_output_is_being_sent_sends_the_rest_once() throws Exception {
        output.write("out", "first");
        FutureTask<Boolean> sending = new FutureTask<>(output::flush, true);
        Thread.startVirtualThread(sending);
        hub.isHearing.await();
        output.write("out", "second");
        FutureTask<Boolean> ending = new FutureTask<>(output::finish, true);
        Thread last = Thread.ofPlatform().start(ending);
        Eventually.holds(
                "the last part waits",
                () ->
                        last.getState() != Thread.State.RUNNABLE
                                && last.getState() != Thread.State.NEW);
        hub.mayGoOn.countDown();

        assertThat(sending.get()).isTrue();
        assertThat(ending.get()).isTrue();
        assertThat(hub.received).containsExactly("first", "second");
    }

    @Test
    void what_could_not_be_sent_is_sent_with_the_rest() {
        hub.mayGoOn.countDown();
        hub.isAway = true;
        output.write("out", "first");
        output.flush();
        hub.isAway = false;
        output.write("out", "second");
        output.finish();

        assertThat(hub.received).containsExactly("first", "second");
    }

    @Test
    void a_secret_that_comes_in_two_pieces_is_taken_out() {
        hub.mayGoOn.countDown();
        output.write("out", "x".repeat(4_090) + " open s");
        output.write("err", "01234567");
        output.flush();
        output.write("out", "esame\n");
        output.write("err", "89abcdef\n");
        output.finish();

        assertThat(String.join("", hub.received))
                .contains(" [redacted]\n")
                .doesNotContain("open", "esame", "0123", "89ab");
    }

    /** A hub that listens slowly, and to output only. */
    private static final class Ear implements DispatchClient {
        final CountDownLatch isHearing = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        final List<String> received = new ArrayList<>();
        boolean isAway;

        @Override
        public void print(String runId, int attempt, List<OutputChunk> chunks) {
            if (isAway) {
                throw new SkepException(ErrorCode.HUB_UNREACHABLE, "away");
            }
            isHearing.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            chunks.forEach(chunk -> received.add(chunk.text()));
        }

        @Override
        public String name() {
            return "ear";
        }

        @Override
        public HeartbeatAnswer beat(HubCall.Heartbeat beat) {
            throw new IllegalStateException();
        }

        @Override
        public Optional<AssignedRun> next(Duration wait, AcceptedWork acceptedWork) {
            throw new IllegalStateException();
        }

        @Override
        public Optional<AssignedRun> report(
                String runId, int attempt, JobResult result, boolean more) {
            throw new IllegalStateException();
        }
    }
}
