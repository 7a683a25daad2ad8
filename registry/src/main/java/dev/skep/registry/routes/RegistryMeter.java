package dev.skep.registry.routes;

import dev.skep.registry.node.Node;
import dev.skep.registry.proxy.RelayMeter;
import dev.skep.registry.service.Registry;
import dev.skep.registry.wire.Request;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/** The registry's figures: nodes, sessions, relayed messages and bytes, calls and their times. */
public final class RegistryMeter implements RelayMeter {
    private final MeterRegistry meters;
    private final Tags tags;
    private final Counter messages;
    private final Counter bytes;
    private final AtomicInteger sessions = new AtomicInteger();

    /**
     * Figures of one of a process's registries.
     *
     * @param kind tells it from the others: {@code runner} or {@code hub}
     */
    public RegistryMeter(MeterRegistry meters, String kind) {
        this.meters = meters;
        this.tags = Tags.of("registry", kind);
        this.messages = meters.counter("skep.registry.relayed.messages", tags);
        this.bytes = meters.counter("skep.registry.relayed.bytes", tags);
        meters.gauge("skep.registry.proxy.sessions", tags, sessions);
    }

    /** Shows a registry's nodes by status. */
    public void show(Registry registry) {
        for (Node.Status status : Node.Status.values()) {
            Gauge.builder("skep.registry.nodes", () -> count(registry, status))
                    .tags(tags)
                    .tag("org", registry.org().value())
                    .tag("status", status.stored())
                    .register(meters);
        }
    }

    /** Shows the open sockets of a listener. */
    public void show(int port, Supplier<Number> sockets) {
        Gauge.builder("skep.registry.sockets", sockets)
                .tags(tags)
                .tag("port", Integer.toString(port))
                .register(meters);
    }

    private static long count(Registry registry, Node.Status status) {
        return registry.nodes().stream().filter(node -> node.status() == status).count();
    }

    String timed(Request request, Function<Request, String> answer) {
        Timer.Sample sample = Timer.start(meters);
        try {
            return answer.apply(request);
        } finally {
            sample.stop(
                    meters.timer("skep.registry.calls", tags.and("call", request.call().label())));
        }
    }

    @Override
    public void opened() {
        sessions.incrementAndGet();
    }

    @Override
    public void relayed(int size) {
        messages.increment();
        bytes.increment(size);
    }

    @Override
    public void ended() {
        sessions.decrementAndGet();
    }
}
