package dev.skep.fleet.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.testkit.Relay;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each fault of a link does what its name says, and no more. */
@Timeout(60)
class RelayTest {
    private static final int SHORT = 200;

    private ServerSocket hub = unbound();
    private Relay relay = new Relay(0);
    private Socket near = new Socket();
    private Socket far = new Socket();

    private static ServerSocket unbound() {
        try {
            return new ServerSocket();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void connect() throws IOException {
        hub = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        relay.close();
        relay = new Relay(hub.getLocalPort());
        near = dial();
        far = hub.accept();
        far.setSoTimeout(SHORT);
    }

    @AfterEach
    void disconnect() throws IOException {
        near.close();
        far.close();
        relay.close();
        hub.close();
    }

    private Socket dial() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), relay.port());
        socket.setSoTimeout(SHORT);
        return socket;
    }

    private static void arrives(Socket from, Socket to) throws IOException {
        to.setSoTimeout(0);
        from.getOutputStream().write(7);
        assertThat(to.getInputStream().read()).isEqualTo(7);
        to.setSoTimeout(SHORT);
    }

    private static void isSilent(Socket to) {
        assertThatThrownBy(() -> to.getInputStream().read())
                .isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void a_delay_is_the_same_for_all_bytes() throws IOException {
        arrives(near, far);
        Duration delay = Duration.ofMillis(300);
        relay.delay(delay);
        long begin = System.nanoTime();
        near.getOutputStream().write(new byte[20_000]);
        far.setSoTimeout(0);
        assertThat(far.getInputStream().readNBytes(20_000)).hasSize(20_000);
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(delay, Duration.ofSeconds(3));
    }

    @Test
    void a_throttled_line_has_its_rate() throws IOException {
        relay.throttle(20_000);
        long begin = System.nanoTime();
        near.getOutputStream().write(new byte[10_000]);
        far.setSoTimeout(0);
        assertThat(far.getInputStream().readNBytes(10_000)).hasSize(10_000);
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isGreaterThan(Duration.ofMillis(350));
    }

    @Test
    void a_line_that_stalls_one_way_works_the_other_way_and_loses_nothing() throws IOException {
        relay.stall(true);
        near.getOutputStream().write(1);
        isSilent(far);
        arrives(far, near);
        relay.recover();
        far.setSoTimeout(0);
        assertThat(far.getInputStream().read()).isEqualTo(1);
    }

    @Test
    void what_was_open_while_things_were_lost_stays_dead_and_new_connections_work()
            throws IOException {
        relay.drop();
        near.getOutputStream().write(1);
        isSilent(far);
        far.getOutputStream().write(1);
        isSilent(near);
        try (Socket meanwhile = dial()) {
            isSilent(meanwhile);
        }
        relay.recover();
        near.getOutputStream().write(1);
        isSilent(far);
        try (Socket again = dial();
                Socket taken = hub.accept()) {
            arrives(again, taken);
        }
    }

    @Test
    void a_severed_line_ends_what_is_open_and_what_is_dialled() throws IOException {
        relay.sever();
        assertThatThrownBy(() -> ends(near)).isInstanceOf(IOException.class);
        try (Socket refused = dial()) {
            assertThatThrownBy(() -> ends(refused)).isInstanceOf(IOException.class);
        }
        relay.recover();
        try (Socket again = dial();
                Socket taken = hub.accept()) {
            arrives(again, taken);
        }
    }

    private static void ends(Socket socket) throws IOException {
        socket.setSoTimeout(0);
        if (socket.getInputStream().read() < 0) {
            throw new IOException("ended");
        }
    }

    @Test
    void a_goodbye_passes_after_the_last_word() throws IOException {
        near.getOutputStream().write(5);
        near.close();
        far.setSoTimeout(0);
        assertThat(far.getInputStream().readAllBytes()).containsExactly(5);
    }
}
