package dev.skep.registry.routes;

import dev.skep.registry.node.Node;
import dev.skep.registry.proxy.RelayMeter;
import dev.skep.registry.service.Registry;
import dev.skep.registry.wire.RegistryRequest;
import dev.skep.transport.http.Metrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;

/** The registry's figures: nodes, sessions, relayed messages and bytes, calls and their times. */
public final class RegistryMeter implements RelayMeter {
    private final Metrics metrics;
    private final Tags tags;
    private final LongAdder messages = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final AtomicInteger sessions = new AtomicInteger();

    /**
     * Figures of one of a process's registries.
     *
     * @param kind distinguishes it from the others: {@code runner} or {@code hub}
     */
    public RegistryMeter(Metrics metrics, String kind) {
        this.metrics = metrics;
        this.tags = Tags.of("registry", kind);
        metrics.show(this::showRelayed);
    }

    private void showRelayed(MeterRegistry registry) {
        FunctionCounter.builder("skep.registry.relayed.messages", messages, LongAdder::sum)
                .description("messages relayed between dashboards and nodes")
                .tags(tags)
                .register(registry);
        FunctionCounter.builder("skep.registry.relayed.bytes", bytes, LongAdder::sum)
                .description("bytes relayed between dashboards and nodes")
                .tags(tags)
                .register(registry);
        Gauge.builder("skep.registry.proxy.sessions", sessions::get)
                .description("proxied sockets that are open")
                .tags(tags)
                .register(registry);
    }

    /** Shows a registry's nodes by status. */
    public void show(Registry registry) {
        for (Node.Status status : Node.Status.values()) {
            metrics.show(
                    Gauge.builder("skep.registry.nodes", () -> count(registry, status))
                                    .description(
                                            "nodes known, by org and status; registry is runner or hub")
                                    .tags(tags)
                                    .tag("org", registry.org().value())
                                    .tag("status", status.stored())
                            ::register);
        }
    }

    /** Shows the open sockets of a listener. */
    public void show(int port, Supplier<Number> sockets) {
        metrics.show(
                Gauge.builder("skep.registry.sockets", sockets)
                                .description("open sockets of a listener, by its port")
                                .tags(tags)
                                .tag("port", Integer.toString(port))
                        ::register);
    }

    private static long count(Registry registry, Node.Status status) {
        return registry.nodes().stream().filter(node -> node.status() == status).count();
    }

    String timed(RegistryRequest request, Function<RegistryRequest, String> answer) {
        MeterRegistry registry = metrics.registry();
        Timer.Sample sample = Timer.start(registry);
        try {
            return answer.apply(request);
        } finally {
            sample.stop(
                    Timer.builder("skep.registry.calls")
                            .description(
                                    "calls on registry sockets, by call, and the time they took")
                            .tags(tags)
                            .tag("call", request.call().label())
                            .register(registry));
        }
    }

    @Override
    public void opened() {
        sessions.incrementAndGet();
    }

    @Override
    public void relayed(int size) {
        messages.increment();
        bytes.add(size);
    }

    @Override
    public void ended() {
        sessions.decrementAndGet();
    }
}
