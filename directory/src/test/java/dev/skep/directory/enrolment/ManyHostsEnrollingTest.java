package dev.skep.directory.enrolment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.DirectoryTestHub;
import dev.skep.directory.host.LinkStatement;
import dev.skep.directory.host.LinkStatement.Purpose;
import dev.skep.directory.secret.SigningKey;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.route.JsonFields;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManyHostsEnrollingTest {
    private static final int HOSTS = 1_000;

    /** Sockets at a time; the requests of all hosts are under way at once. */
    private static final int SOCKETS = 100;

    @TempDir Path folder;

    @Test
    void a_thousand_hosts_enrol_at_once_and_each_gets_its_token() throws Exception {
        try (var hub = new DirectoryTestHub(folder);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Semaphore sockets = new Semaphore(SOCKETS);
            CountDownLatch go = new CountDownLatch(1);
            List<Future<String>> tokens =
                    IntStream.range(0, HOSTS)
                            .mapToObj(n -> threads.submit(host(hub, n, sockets, go)))
                            .toList();
            long started = System.nanoTime();
            go.countDown();
            for (Future<String> token : tokens) {
                hub.directory.acceptor().tokens().verify(token.get());
            }
            long millis = (System.nanoTime() - started) / 1_000_000;

            assertThat(hub.directory.acceptor().hosts().all(hub.local("default").principal()))
                    .hasSize(HOSTS);
            System.out.printf("%d hosts enrolled and connected in %d ms%n", HOSTS, millis);
        }
    }

    private static Callable<String> host(
            DirectoryTestHub hub, int n, Semaphore sockets, CountDownLatch go) {
        String id = hub.process.ids.next();
        SigningKey key = SigningKey.generate(new SecureRandom());
        // Half come with a code of their own, half with the key they all share.
        Map<String, String> ticket =
                n % 2 == 0
                        ? Map.of("code", hub.pairingCode())
                        : Map.of("accessKey", DirectoryTestHub.SHARED_KEY);
        return () -> {
            go.await();
            sockets.acquire();
            try {
                ApiClient api = hub.nobody();
                send(hub, api, Purpose.ENROL, id, key, ticket);
                return send(hub, api, Purpose.TOKEN, id, key, Map.of()).text("token");
            } finally {
                sockets.release();
            }
        };
    }

    private static JsonFields send(
            DirectoryTestHub hub,
            ApiClient api,
            Purpose purpose,
            String id,
            SigningKey key,
            Map<String, String> ticket) {
        JsonFields challenge = api.post("/api/link/challenge", Map.of()).fields();
        LinkStatement statement =
                new LinkStatement(
                        purpose,
                        challenge.text("hubId"),
                        challenge.text("nonce"),
                        id,
                        key.open().toString(),
                        "machine-of-" + id,
                        hub.process.clock.instant());
        Map<String, Object> body = new HashMap<>(ticket);
        body.put("hubId", statement.hubId());
        body.put("nonce", statement.nonce());
        body.put("hostId", id);
        body.put("publicKey", statement.publicKey());
        body.put("place", statement.place());
        body.put("at", statement.at().toString());
        body.put("name", "host-" + id);
        body.put("signature", Base64.getUrlEncoder().encodeToString(key.sign(statement.bytes())));
        String path = purpose == Purpose.ENROL ? "/api/link/enrol" : "/api/link/token";
        return api.post(path, body).fields();
    }
}
