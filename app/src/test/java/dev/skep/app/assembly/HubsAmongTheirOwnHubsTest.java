package dev.skep.app.assembly;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.DataDir;
import dev.skep.cli.config.Setting;
import dev.skep.cli.config.SettingSources;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.module.RunnerSyncModule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code HUB_URLS} is the same on all machines, so that it names this hub, too. */
class HubsAmongTheirOwnHubsTest {
    private final Lifecycle lifecycle = new Lifecycle();
    private final CountDownLatch refused = new CountDownLatch(1);
    @TempDir Path folder;
    private HttpServer door;
    private HostProcess hub;

    @BeforeEach
    void open() throws IOException {
        var free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        door = HttpServer.create(free, 0);
        Configuration configuration = configuration();
        hub = HostDatabases.open(lifecycle, configuration.database(), configuration, HostKind.HUB);
        door.createContext(
                "/api/link/challenge",
                exchange -> {
                    byte[] answer =
                            "{\"hubId\":\"%s\",\"nonce\":\"n\"}"
                                    .formatted(hub.host().id().value())
                                    .getBytes(UTF_8);
                    exchange.getResponseHeaders().add("Content-Type", "application/json");
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        door.start();
    }

    @AfterEach
    void close() {
        lifecycle.close();
        door.stop(0);
    }

    @Test
    void links_that_are_closed_follow_no_enrolment() {
        var turn = new Lifecycle();
        RunnerSyncModule links = links();
        links.open(turn);
        enrol("http://127.0.0.1:1");
        assertThat(links.status()).as("told and enrolled").hasSize(2);

        turn.close();
        enrol("http://127.0.0.1:2");

        assertThat(links.status()).hasSize(2);
    }

    private void enrol(String url) {
        hub.host().keys().joined(url, "01HVB0000000000000000000AA", 1, Consents.NONE);
    }

    @Test
    void what_a_hub_owns_does_not_wait_for_the_hub_itself() throws Exception {
        RunnerSyncModule links = links();
        links.open(lifecycle);
        assertThat(links.hubs()).as("nobody has been asked").containsExactly("");
        links.onMoved(
                () -> {
                    if (links.status().getFirst().problem().contains("is this hub itself")) {
                        refused.countDown();
                    }
                });
        links.start(lifecycle);
        assertThat(refused.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(links.hubs()).isEmpty();
    }

    private RunnerSyncModule links() {
        return new RunnerSyncModule(
                hub,
                SyncSchema.of(hub.tables()),
                new EventBus(),
                ModuleConfigs.links(configuration()),
                Optional.empty(),
                List.of());
    }

    private Configuration configuration() {
        Configuration configuration =
                Configuration.read(
                        new SettingSources(
                                Map.of(Setting.DATA_DIR, folder.toString()),
                                Map.of(
                                        "HUB_ACCESS_KEY",
                                        "a-key",
                                        "HUB_URLS",
                                        "http://127.0.0.1:" + door.getAddress().getPort()),
                                folder,
                                folder),
                        () -> "machine");
        DataDir.prepare(configuration.dataDir());
        return configuration;
    }
}
