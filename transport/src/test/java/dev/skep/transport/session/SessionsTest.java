package dev.skep.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.link.LinkProtocolHandler;
import dev.skep.transport.session.SessionOpener.Opening;
import dev.skep.transport.socket.MessageSender;
import dev.skep.wire.Frame;
import dev.skep.wire.WireLimits;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SessionsTest {
    private static final Principal.Host HOST =
            new Principal.Host(new OrgId("org"), new HostId("host"));
    private static final int ANY = Integer.MAX_VALUE;

    private final MemoryWire toRunner = new MemoryWire();
    private final MemoryWire toHub = new MemoryWire();
    private final SessionOpener opener = new SessionOpener();
    private final LinkProtocolHandler hub = opener.open(HOST, toRunner);
    private final RecordingReceiver runnersEar = new RecordingReceiver(ANY);
    private final LinkProtocolHandler runner =
            new SessionAcceptor(target -> runnersEar).open("hub", toHub);

    private MessageSender open(RecordingReceiver recordingReceiver) throws InterruptedException {
        toRunner.leadTo(runner);
        toHub.leadTo(hub);
        return ((Opening.Opened) opener.open(HOST.org(), HOST.id(), "target", recordingReceiver))
                .channel();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 32_767, 32_768, 32_769, 65_536, 100_000, WireLimits.MESSAGE})
    void a_message_of_any_size_arrives_whole(int size) throws Exception {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        RecordingReceiver recordingReceiver = new RecordingReceiver(ANY);
        MessageSender there = open(recordingReceiver);
        there.send(ByteBuffer.wrap(bytes));
        there.sendUtf8(ByteBuffer.wrap(bytes));
        assertThat(runnersEar.next())
                .isEqualTo(new RecordingReceiver.Received(false, ByteBuffer.wrap(bytes)));
        assertThat(runnersEar.next())
                .isEqualTo(new RecordingReceiver.Received(true, ByteBuffer.wrap(bytes)));
        runnersEar.back.get().send(ByteBuffer.wrap(bytes));
        assertThat(recordingReceiver.next())
                .isEqualTo(new RecordingReceiver.Received(false, ByteBuffer.wrap(bytes)));
    }

    @Test
    void a_message_that_is_too_long_ends_the_session_with_1009() throws Exception {
        RecordingReceiver recordingReceiver = new RecordingReceiver(ANY);
        MessageSender there = open(recordingReceiver);
        there.send(ByteBuffer.allocate(WireLimits.MESSAGE + 1));
        assertThat(recordingReceiver.closed.get(20, TimeUnit.SECONDS)).isEqualTo(1009);
        assertThat(runnersEar.closed.get(20, TimeUnit.SECONDS)).isEqualTo(1009);
        assertThat(there.send("more")).isFalse();
        assertThat(toRunner.closed).isEmpty();
    }

    @Test
    void a_sender_waits_at_the_window_until_the_receiver_has_read() throws Exception {
        RecordingReceiver slow = new RecordingReceiver(0);
        open(slow);
        MessageSender back = runnersEar.back.get();
        Thread sender = Thread.ofVirtual().start(() -> pour(back, 4_000, 1_000));
        assertThat(sender.join(Duration.ofMillis(500))).isFalse();
        slow.let.release(4_000);
        assertThat(sender.join(Duration.ofSeconds(20))).isTrue();
        for (int i = 0; i < 4_000; i++) {
            slow.next();
        }
    }

    @Test
    void what_arrived_before_the_goodbye_is_delivered_before_it() throws Exception {
        RecordingReceiver slow = new RecordingReceiver(0);
        open(slow);
        MessageSender back = runnersEar.back.get();
        pour(back, 100, 1_000);
        back.close(4_001, "done");
        assertThat(runnersEar.closed.get(20, TimeUnit.SECONDS)).isEqualTo(4_001);
        assertThat(slow.closed).isNotDone();
        slow.let.release(100);
        assertThat(slow.closed.get(20, TimeUnit.SECONDS)).isEqualTo(4_001);
        assertThat(slow.received).hasSize(100);
    }

    @Test
    void a_link_that_is_gone_ends_every_session_without_a_goodbye() throws Exception {
        RecordingReceiver one = new RecordingReceiver(ANY);
        MessageSender there = open(one);
        runnersEar.back.get(20, TimeUnit.SECONDS);
        hub.closed("cut");
        runner.closed("cut");
        assertThat(one.closed.get(20, TimeUnit.SECONDS)).isEqualTo(1006);
        assertThat(runnersEar.closed.get(20, TimeUnit.SECONDS)).isEqualTo(1006);
        assertThat(there.send("anybody?")).isFalse();
        assertThat(opener.isLinked(HOST.id())).isFalse();
        assertThat(opener.open(HOST.org(), HOST.id(), "target", one))
                .isInstanceOf(Opening.NotLinked.class);
    }

    @Test
    void a_peer_that_sends_past_the_window_loses_the_link() throws Exception {
        RecordingReceiver deaf = new RecordingReceiver(0);
        LinkProtocolHandler victim = new SessionAcceptor(target -> deaf).open("hub", toHub);
        victim.received(SessionFrameCodec.frame(1, new SessionMessage.Open("target")));
        Frame part = part(1, 32_768);
        for (int i = 0; i < 40; i++) {
            victim.received(part);
        }
        assertThat(toHub.whyClosed()).contains("broke the rules");
    }

    @Test
    void empty_messages_use_up_the_window_too() throws Exception {
        RecordingReceiver deaf = new RecordingReceiver(0);
        LinkProtocolHandler victim = new SessionAcceptor(target -> deaf).open("hub", toHub);
        victim.received(SessionFrameCodec.frame(1, new SessionMessage.Open("target")));
        Frame nothing = part(1, 0);
        for (int i = 0; i < 20_000; i++) {
            victim.received(nothing);
        }
        assertThat(toHub.whyClosed()).isNotNull();
    }

    @Test
    void more_credit_than_the_window_is_against_the_rules() throws Exception {
        runner.received(SessionFrameCodec.frame(1, new SessionMessage.Open("target")));
        runner.received(SessionFrameCodec.frame(1, new SessionMessage.Credit(1)));
        assertThat(toHub.whyClosed()).isNotNull();
    }

    @Test
    void a_number_is_used_once() throws Exception {
        runner.received(SessionFrameCodec.frame(1, new SessionMessage.Open("target")));
        runner.received(SessionFrameCodec.frame(1, new SessionMessage.Open("target")));
        assertThat(toHub.whyClosed()).isNotNull();
    }

    @Test
    void a_host_opens_no_session_at_a_hub() throws Exception {
        hub.received(SessionFrameCodec.frame(1, new SessionMessage.Open("target")));
        assertThat(toRunner.whyClosed()).isNotNull();
    }

    @Test
    void what_is_no_frame_of_ours_is_against_the_rules() throws Exception {
        Random random = new Random(5);
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[1 + random.nextInt(20)];
            random.nextBytes(bytes);
            bytes[0] = SessionFrameCodec.TAG;
            runner.received(new Frame(true, bytes));
        }
        assertThat(toHub.whyClosed()).isNotNull();
    }

    @Test
    void news_of_a_session_that_ended_here_is_no_news() throws Exception {
        runner.received(part(7, 10));
        runner.received(SessionFrameCodec.frame(7, new SessionMessage.Credit(10)));
        runner.received(SessionFrameCodec.frame(7, new SessionMessage.Close(1000, "")));
        assertThat(toHub.closed).isEmpty();
    }

    @Test
    void too_many_sessions_are_sent_away() throws Exception {
        for (int i = 0; i <= LinkSessions.MOST; i++) {
            runner.received(SessionFrameCodec.frame(i, new SessionMessage.Open("target")));
        }
        assertThat(toHub.next()).isInstanceOf(SessionMessage.Close.class);
        assertThat(toHub.closed).isEmpty();
    }

    private static Frame part(int session, int size) {
        return SessionFrameCodec.frame(
                session, new SessionMessage.Part(false, true, ByteBuffer.allocate(size)));
    }

    private static void pour(MessageSender into, int messages, int size) {
        try {
            for (int i = 0; i < messages; i++) {
                into.send(ByteBuffer.allocate(size));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
