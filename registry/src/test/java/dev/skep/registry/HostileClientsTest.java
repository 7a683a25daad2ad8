package dev.skep.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import dev.skep.testkit.RawWebSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileClientsTest {
    @TempDir Path folder;
    private TestRegistry testRegistry;
    private TestRegistryClient witness;

    @BeforeEach
    void open() throws Exception {
        testRegistry = new TestRegistry(TestRegistry.Options.in(folder));
        witness = testRegistry.dashboard();
    }

    @AfterEach
    void close() {
        witness.close();
        testRegistry.close();
    }

    @Test
    void random_bytes_instead_of_frames_end_that_connection_only() throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < 100; i++) {
            try (RawWebSocket socket = RawWebSocket.connect(testRegistry.port(), "/ws")) {
                byte[] garbage = new byte[1 + random.nextInt(2_000)];
                random.nextBytes(garbage);
                socket.raw(garbage);
            } catch (IOException hungUp) {
                // the registry was faster
            }
        }
        assertOnlyTheWitnessIsLeft();
    }

    @Test
    void random_text_frames_are_ignored() throws Exception {
        Random random = new Random(8);
        String alphabet = "{}[]\":,\\u0n1eE+-. \tmethodidparamsregisterping";
        for (int i = 0; i < 5_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(60); n > 0; n--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            witness.frame(text.toString());
        }
        witness.settle();
    }

    @Test
    void a_frame_that_claims_to_be_huge_is_not_waited_for() throws Exception {
        try (RawWebSocket socket = RawWebSocket.connect(testRegistry.port(), "/ws")) {
            socket.raw(
                    ByteBuffer.allocate(14)
                            .put((byte) 0x81)
                            .put((byte) 0xff)
                            .putLong(1L << 40)
                            .putInt(0)
                            .array());
            assertThat(closeCode(socket)).isEqualTo(1009);
        }
        try (RawWebSocket socket = RawWebSocket.connect(testRegistry.port(), "/ws")) {
            byte[] part = new byte[1 << 20];
            socket.send(RawWebSocket.TEXT, false, part);
            try {
                for (int i = 0; i < 17; i++) {
                    socket.send(RawWebSocket.CONTINUATION, false, part);
                }
            } catch (IOException hungUp) {
                // in the middle of it
            }
            assertThat(closeCode(socket)).isIn(1009, 1006);
        }
        assertOnlyTheWitnessIsLeft();
    }

    @Test
    void a_thousand_half_open_handshakes_keep_no_client_out() throws Exception {
        List<Socket> halfOpen = new ArrayList<>();
        try {
            for (int i = 0; i < 1_000; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), testRegistry.port());
                halfOpen.add(socket);
                if (i % 2 == 0) {
                    socket.getOutputStream()
                            .write("GET /ws HTTP/1.1\r\nHo".getBytes(StandardCharsets.US_ASCII));
                }
            }
            try (TestRegistryClient late = testRegistry.dashboard()) {
                late.register("a", "here", 7001);
            }
            assertThat(testRegistry.endpoints.count()).isLessThanOrEqualTo(2);
        } finally {
            for (Socket socket : halfOpen) {
                socket.close();
            }
        }
        assertOnlyTheWitnessIsLeft();
    }

    @Test
    void a_client_that_never_reads_is_cut_off_and_delays_no_other() throws Exception {
        try (RawWebSocket deaf = RawWebSocket.connect(testRegistry.port(), "/ws");
                TestRegistryClient agent = testRegistry.client()) {
            deaf.socket().setReceiveBufferSize(1_024);
            String cwd = "/" + "x".repeat(4_000);
            for (int batch = 0; batch < 20; batch++) {
                for (int i = 0; i < 200; i++) {
                    var _ =
                            agent.send(
                                    "register",
                                    "{\"id\":\"a\",\"machine\":\"m\",\"cwd\":\"%s\",\"port\":1,\"status\":\"active\"}"
                                            .formatted(cwd));
                }
                // The witness reads along, or it would be one of those that are cut off.
                for (int i = 0; i < 200; i++) {
                    witness.event("node_joined");
                }
            }
            agent.leave();
            assertOnlyTheWitnessIsLeft();
        }
    }

    @Test
    void memory_stays_flat_while_clients_come_misbehave_and_go() throws Exception {
        misbehave(200);
        long before = usedMemory();
        misbehave(800);
        assertOnlyTheWitnessIsLeft();
        assertThat(usedMemory() - before).isLessThan(20 << 20);
    }

    private void misbehave(int times) throws Exception {
        Random random = new Random(times);
        for (int i = 0; i < times; i++) {
            try (RawWebSocket socket = RawWebSocket.connect(testRegistry.port(), "/ws")) {
                byte[] garbage = new byte[random.nextInt(500)];
                random.nextBytes(garbage);
                switch (i % 6) {
                    case 0 -> socket.raw(garbage);
                    case 1 -> socket.send(random.nextInt(16), random.nextBoolean(), garbage);
                    case 2 -> socket.send(RawWebSocket.TEXT, false, new byte[100_000]);
                    case 3 -> socket.text("{\"method\":\"%s\"}".formatted("m" + i));
                    case 4 -> wrongTypes(socket);
                    default -> {
                        socket.text(
                                "{\"method\":\"register\",\"params\":%s}"
                                        .formatted(
                                                TestRegistryClient.registration(
                                                        "a", "here", 7001)));
                        halfOpen();
                    }
                }
            } catch (IOException hungUp) {
                // the registry was faster
            }
        }
    }

    private static void wrongTypes(RawWebSocket socket) throws IOException {
        for (String value : List.of("null", "[]", "{}", "-1", "1e300", "\"\\u0000\"")) {
            for (String method :
                    List.of(
                            "register",
                            "deregister",
                            "list_directories",
                            "spawn_agent",
                            "list_connections",
                            "node_stats",
                            "import_state")) {
                socket.text("{\"method\":\"%s\",\"params\":%s}".formatted(method, value));
                socket.text(
                        """
                        {"method":"%1$s","params":{"id":%2$s,"machine":%2$s,"cwd":%2$s,"port":%2$s,\
                        "status":%2$s,"pid":%2$s,"path":%2$s,"new_folder":%2$s,"node_id":%2$s,\
                        "limit":%2$s,"before":%2$s,"nodes":%2$s}}"""
                                .formatted(method, value));
            }
        }
    }

    private void halfOpen() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), testRegistry.port())) {
            socket.getOutputStream()
                    .write("GET /ws HTTP/1.1\r\nHo".getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static long usedMemory() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static int closeCode(RawWebSocket socket) throws IOException {
        for (RawWebSocket.Frame frame = socket.message(); frame != null; frame = socket.message()) {
            if (frame.opcode() == RawWebSocket.CLOSE) {
                return frame.code();
            }
        }
        return 1006;
    }

    /** Every other socket ends, sooner or later. */
    private void assertOnlyTheWitnessIsLeft() {
        Eventually.holds(
                "the other sockets end",
                Duration.ofSeconds(20),
                () -> {
                    witness.settle();
                    return testRegistry.endpoints.count() <= 1;
                });
        assertThat(testRegistry.endpoints.count()).isEqualTo(1);
    }
}
