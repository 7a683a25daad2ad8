package dev.skep.conformance.registry;

import dev.skep.app.assembly.HostProcess;
import dev.skep.app.assembly.RegistryHouse;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.org.Orgs;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.link.RunnerSync;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.testkit.PlainLinks;
import dev.skep.transport.client.HttpApi;
import dev.skep.transport.http.Listener;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** A runner with a registry and one link, and no agents of its own. */
final class LinkedRunner implements AutoCloseable {
    final HostId host;
    private final Lifecycle lifecycle = new Lifecycle();
    private final Listener listener;

    LinkedRunner(Path folder, String hub) {
        HostProcess process = Linked.process(lifecycle, folder, HostKind.RUNNER);
        host = process.host().id();
        RegistryHouse house =
                Linked.house(lifecycle, process, folder, other -> false, Optional.empty());
        listener = Linked.listen(lifecycle, house, List.of());
        RunnerSync sync =
                lifecycle.start(
                        "sync",
                        new RunnerSync(
                                new Principal.Host(process.host().org(), host),
                                process.schema(),
                                SyncLimits.DEFAULT,
                                SqlSyncStore.ofRunner(
                                        process.database(),
                                        process.schema(),
                                        process.feed(),
                                        new Events(),
                                        InstantSource.system()),
                                process.feed(),
                                InstantSource.system()));
        HttpClient client = HttpApi.newClient();
        lifecycle.own("client", client::shutdownNow);
        String ticket = "host:%s:%s".formatted(Orgs.DEFAULT.value(), host.value());
        lifecycle.start(
                "link", PlainLinks.dialer(client, hub, ticket, List.of(sync, house.sessions())));
    }

    int port() {
        return listener.port();
    }

    @Override
    public void close() {
        lifecycle.close();
    }
}
