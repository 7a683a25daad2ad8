package dev.skep.fleet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.HostDatabases;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.link.HubSession;
import dev.skep.directory.link.HubUrl;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.RawWebSocket;
import dev.skep.transport.client.HttpApiClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All hostile clients at once against a hub, while somebody who is signed in works. Some seconds by
 * default; ten minutes with {@code -Dskep.hostile.seconds=600}.
 */
class HostileTogetherTest {
    private static final Duration LONG =
            Duration.ofSeconds(Integer.getInteger("skep.hostile.seconds", 5));
    private static final Duration A_MINUTE = Duration.ofMinutes(1);
    private static final Duration WARM_UP =
            Duration.ofSeconds(Math.clamp(LONG.toSeconds() / 10, 2, 20));
    private static final int CROWD = Integer.getInteger("skep.hostile.crowd", 150);

    @TempDir private Path folder = Path.of("");
    private final AtomicLong tries = new AtomicLong();

    @Test
    void a_hub_serves_on_and_gives_its_memory_back() throws Exception {
        try (MeasuredHub hub = new MeasuredHub(folder.resolve("hub"));
                Lifecycle lifecycle = new Lifecycle()) {
            HttpVisitor person =
                    HttpVisitor.local(hub.url, hub.dataDir).operatorOf("default", "maria");
            HubSession host = enrolled(lifecycle, hub.url);
            MeasuredHub.Memory start = hub.collected();
            System.out.println("at its start: " + start);
            siege(hub, person, host, WARM_UP);
            Eventually.holds("clients gone", () -> files(hub) < start.files() + 20);
            MeasuredHub.Memory before = hub.collected();
            Map<String, Long> classes = hub.classes();
            System.out.println("after a first siege: " + before);
            List<Long> answers = siege(hub, person, host, LONG);
            Eventually.holds("clients gone", () -> files(hub) < start.files() + 20);
            System.out.println("afterwards: " + now(hub));
            calm(person);
            assertThat(host.token().text()).isNotEmpty();
            MeasuredHub.Memory after = hub.collected();
            System.out.printf(
                    "after a collection: %s; %,d tries; answers: median %d ms, slowest %d ms of %d%ngrown:%n%s%n",
                    after,
                    tries.get(),
                    TimeUnit.NANOSECONDS.toMillis(answers.get(answers.size() / 2)),
                    TimeUnit.NANOSECONDS.toMillis(answers.getLast()),
                    answers.size(),
                    hub.growth(classes));
            assertThat(after.live()).isLessThan(before.live() * 12 / 10);
            // Not the very slowest: this machine does the attacking too.
            assertThat(Duration.ofNanos(answers.get(answers.size() * 9 / 10)))
                    .isLessThan(Duration.ofSeconds(1));
        }
    }

    /** What a hub remembers for a minute, such as answered challenges, is no leak. */
    private static void calm(HttpVisitor person) throws Exception {
        if (LONG.compareTo(A_MINUTE) > 0) {
            long end = System.nanoTime() + A_MINUTE.plusSeconds(5).toNanos();
            while (System.nanoTime() < end) {
                assertThat(person.get("/api/session").statusCode()).isEqualTo(200);
            }
        }
    }

    private static int files(MeasuredHub hub) {
        return now(hub).files();
    }

    private static MeasuredHub.Memory now(MeasuredHub hub) {
        try {
            return hub.now();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private HubSession enrolled(Lifecycle lifecycle, String url) {
        Configuration alone =
                TestSettings.runner(folder.resolve("intruder"), "intruder", List.of());
        HostProcess node =
                HostDatabases.open(
                        lifecycle, HostDatabases.runnerDatabase(alone), alone, HostKind.RUNNER);
        HttpClient client = HttpApiClient.newClient();
        lifecycle.own("client", client);
        return new HubSession(
                node.host(),
                HubUrl.of(url, false),
                Optional.of(TestSettings.ACCESS_KEY),
                Consents.USUAL,
                client,
                InstantSource.system());
    }

    /** Something that is done again and again until the siege is over. */
    private interface Attack {
        void run(Random random, CountDownLatch over) throws Exception;
    }

    /** What the person's answers took, sorted. */
    private List<Long> siege(MeasuredHub hub, HttpVisitor person, HubSession host, Duration time)
            throws Exception {
        assertThat(person.get("/api/session").statusCode()).isEqualTo(200);
        CountDownLatch over = new CountDownLatch(1);
        List<Thread> attackers = new ArrayList<>();
        int port = hub.port();
        String cookie = "Cookie: skep_%d=%s".formatted(port, person.secret());
        for (int i = 0; i < CROWD; i++) {
            attackers.add(attacker(over, (r, end) -> idle(port, end)));
            attackers.add(attacker(over, (r, end) -> trickle(port, end)));
            attackers.add(attacker(over, (r, end) -> neverRead(port, "", end)));
        }
        for (int i = 0; i < CROWD / 10; i++) {
            attackers.add(attacker(over, (r, end) -> neverRead(port, cookie + "\r\n", end)));
            attackers.add(attacker(over, (r, end) -> deafSocket(port, cookie, end)));
        }
        for (int i = 0; i < 2; i++) {
            attackers.add(attacker(over, (r, end) -> fuzz(port, r)));
            attackers.add(attacker(over, (r, end) -> wrongProofs(port, r)));
            attackers.add(attacker(over, (r, end) -> frames(port, "/ws", cookie, r)));
            attackers.add(attacker(over, (r, end) -> frames(port, "/link", token(host), r)));
        }
        List<Long> answers = Collections.synchronizedList(new ArrayList<>());
        long end = System.nanoTime() + time.toNanos();
        long shown = System.nanoTime();
        while (System.nanoTime() < end) {
            long begun = System.nanoTime();
            assertThat(person.get("/api/session").statusCode()).isEqualTo(200);
            answers.add(System.nanoTime() - begun);
            over.await(50, TimeUnit.MILLISECONDS);
            if (System.nanoTime() - shown > TimeUnit.MINUTES.toNanos(1)) {
                shown = System.nanoTime();
                System.out.println("during: " + hub.now());
            }
        }
        over.countDown();
        for (Thread attacker : attackers) {
            attacker.join(Duration.ofSeconds(30));
        }
        return answers.stream().sorted().toList();
    }

    private Thread attacker(CountDownLatch over, Attack attack) {
        Random random = new Random(tries.incrementAndGet());
        return Thread.startVirtualThread(
                () -> {
                    while (over.getCount() > 0) {
                        try {
                            tries.incrementAndGet();
                            attack.run(random, over);
                        } catch (IOException | SkepException hungUp) {
                            // the hub was faster
                        } catch (Exception e) {
                            return;
                        }
                    }
                });
    }

    private static Socket open(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(5_000);
        return socket;
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    }

    private static void idle(int port, CountDownLatch over) throws Exception {
        try (Socket _ = open(port)) {
            over.await(20, TimeUnit.SECONDS);
        }
    }

    private static void trickle(int port, CountDownLatch over) throws Exception {
        try (Socket socket = open(port)) {
            say(socket, "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ");
            while (!over.await(1, TimeUnit.SECONDS)) {
                say(socket, "x");
            }
        }
    }

    /** Asks for everything, events included where it may, and reads nothing of it. */
    private static void neverRead(int port, String proof, CountDownLatch over) throws Exception {
        try (Socket socket = open(port)) {
            socket.setReceiveBufferSize(1_024);
            String path = proof.isEmpty() ? "/api/openapi.json" : "/api/orgs/default/events";
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + proof + "\r\n";
            say(socket, request.repeat(20));
            over.await(20, TimeUnit.SECONDS);
        }
    }

    private static void deafSocket(int port, String cookie, CountDownLatch over) throws Exception {
        try (RawWebSocket socket = RawWebSocket.connect(port, "/ws", cookie)) {
            for (int i = 0; i < 50 && over.getCount() > 0; i++) {
                socket.text("{\"id\":\"1\",\"method\":\"list_nodes\"}");
            }
            over.await(20, TimeUnit.SECONDS);
        }
    }

    private static void fuzz(int port, Random random) throws IOException {
        byte[] noise = new byte[1 + random.nextInt(3_000)];
        random.nextBytes(noise);
        String text = new String(noise, ISO_8859_1);
        String request =
                switch (random.nextInt(5)) {
                    case 0 -> text + "\r\n\r\n";
                    case 1 -> "GET /" + text.replaceAll("\\s", "%") + " HTTP/1.1\r\n\r\n";
                    case 2 -> "GET / HTTP/1.1\r\nHost: localhost\r\n" + text + "\r\n\r\n";
                    case 3 -> post("/api/session", "{\"username\":\"" + text + "\"}");
                    default -> post("/api/link/enrol", text);
                };
        exchange(port, request);
    }

    private static void wrongProofs(int port, Random random) throws IOException {
        String wrong = Long.toString(random.nextLong(), 36);
        String header = "Authorization: Bearer " + wrong + "\r\nConnection: close\r\n\r\n";
        exchange(port, "GET /api/session HTTP/1.1\r\nHost: localhost\r\n" + header);
        exchange(port, "GET /ws HTTP/1.1\r\nHost: localhost\r\n" + header);
        exchange(port, post("/api/session/link", "{\"token\":\"" + wrong + "\"}"));
        exchange(
                port,
                post(
                        "/api/session",
                        "{\"username\":\"%s\",\"password\":\"%s\"}".formatted(wrong, wrong)));
        exchange(
                port,
                post(
                        "/api/link/token",
                        "{\"hubId\":\"%1$s\",\"nonce\":\"%1$s\",\"hostId\":\"%1$s\",\"publicKey\":\"%1$s\",\"place\":\"%1$s\",\"at\":\"2027-01-01T00:00:00Z\",\"signature\":\"%1$s\"}"
                                .formatted(wrong)));
    }

    private static String post(String path, String body) {
        return "POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(path, body.length(), body);
    }

    private static void exchange(int port, String request) throws IOException {
        try (Socket socket = open(port)) {
            say(socket, request);
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        }
    }

    private static String token(HubSession host) {
        return "Authorization: Bearer " + host.token().text();
    }

    private static void frames(int port, String path, String proof, Random random)
            throws IOException {
        try (RawWebSocket socket = RawWebSocket.connect(port, path, proof)) {
            byte[] noise = new byte[random.nextInt(100_000)];
            random.nextBytes(noise);
            switch (random.nextInt(4)) {
                case 0 -> socket.raw(noise);
                case 1 -> socket.send(random.nextInt(16), random.nextBoolean(), noise);
                case 2 -> socket.text("{\"type\":\"sync_response\",\"req_id\":7,\"tables\":{");
                default -> {
                    socket.send(RawWebSocket.TEXT, false, noise);
                    socket.send(RawWebSocket.CONTINUATION, false, noise);
                }
            }
        }
    }
}
