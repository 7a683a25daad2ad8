package dev.skep.registry;

import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.proxy.ProxySession;
import dev.skep.registry.routes.RegistryMeter;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.link.RunnerSyncProtocol;
import dev.skep.sync.runner.JoinKind;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.testkit.hub.PlainLinks;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.session.SessionAcceptor;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** A runner with a registry and one link, and no agents of its own. */
final class LinkedRunner implements AutoCloseable {
    final HostId host;
    private final Lifecycle lifecycle = new Lifecycle();
    private final TestRegistry testRegistry;

    LinkedRunner(Path folder, String hub) {
        testRegistry = lifecycle.own("house", new TestRegistry(TestRegistry.Options.in(folder)));
        host = testRegistry.host.id();
        RegistryMeter meter = new RegistryMeter(new Metrics(), "runner");
        SessionAcceptor sessions =
                new SessionAcceptor(
                        nodeId ->
                                new ProxySession(
                                        testRegistry.registry(),
                                        testRegistry.direct(),
                                        nodeId,
                                        false,
                                        meter));
        RunnerSyncProtocol sync =
                lifecycle.start(
                        "sync",
                        new RunnerSyncProtocol(
                                new Principal.Host(testRegistry.host.org(), host),
                                JoinKind.AS_RUNNER,
                                testRegistry.schema,
                                SyncLimits.DEFAULT,
                                SqlSyncStore.ofRunner(
                                        testRegistry.database,
                                        testRegistry.schema,
                                        testRegistry.feed,
                                        new EventBus(),
                                        InstantSource.system()),
                                testRegistry.feed,
                                InstantSource.system(),
                                InstantSource.system()));
        String ticket = "host:%s:%s".formatted(testRegistry.host.org().value(), host.value());
        lifecycle.start(
                "link",
                PlainLinks.dialer(
                        hub, ticket, List.of(sync.with(HubConsent.toAll(hub)), sessions)));
    }

    int port() {
        return testRegistry.port();
    }

    @Override
    public void close() {
        lifecycle.close();
    }
}
