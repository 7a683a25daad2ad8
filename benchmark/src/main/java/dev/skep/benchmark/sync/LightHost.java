package dev.skep.benchmark.sync;

import dev.skep.directory.host.HostKey;
import dev.skep.directory.host.LinkStatement;
import dev.skep.directory.host.LinkStatement.Purpose;
import dev.skep.directory.secret.SigningKey;
import dev.skep.kernel.row.Timestamps;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.link.HubAddress;
import dev.skep.transport.route.JsonFields;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A host with a key and nothing else: it enrols and proves itself as every host does. */
final class LightHost implements HubAddress {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final InstantSource CLOCK = InstantSource.system();

    private final ApiClient hub;
    private final int port;
    private final String id;
    private final HostKey key = new HostKey(1, SigningKey.generate(RANDOM));
    private boolean enrolled;

    LightHost(HttpClient client, int port, int number) {
        this.hub = new HttpApiClient(client, "http://127.0.0.1:" + port, Optional.empty());
        this.port = port;
        this.id = "01BENCHHOST%015d".formatted(number);
    }

    String id() {
        return id;
    }

    @Override
    public String name() {
        return "bench-hub";
    }

    @Override
    public URI link() {
        return URI.create("ws://127.0.0.1:" + port + "/link");
    }

    @Override
    public synchronized Ticket ticket() {
        if (!enrolled) {
            ask("/api/link/enrol", Purpose.ENROL, Map.of("accessKey", BenchBase.ACCESS_KEY));
            enrolled = true;
        }
        return new Ticket(ask("/api/link/token", Purpose.TOKEN, Map.of()).text("token"), name());
    }

    private JsonFields ask(String path, Purpose purpose, Map<String, String> more) {
        JsonFields challenge = hub.post("/api/link/challenge", Map.of()).fields();
        Instant now = Timestamps.parse(Timestamps.format(CLOCK.instant()));
        LinkStatement statement =
                new LinkStatement(
                        purpose,
                        challenge.text("hubId"),
                        challenge.text("nonce"),
                        id,
                        key.publicKey(),
                        id,
                        now);
        Map<String, Object> body = new HashMap<>(more);
        body.put("name", id);
        body.put("hubId", statement.hubId());
        body.put("nonce", statement.nonce());
        body.put("hostId", id);
        body.put("publicKey", statement.publicKey());
        body.put("place", statement.place());
        body.put("at", Timestamps.format(now));
        body.put(
                "signature",
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(key.sign(statement.bytes())));
        return hub.post(path, body).fields();
    }
}
