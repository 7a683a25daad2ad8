package dev.skep.benchmark.sync;

import dev.skep.transport.link.HubAddress;
import java.net.URI;

/** The benchmark's hub, which believes whoever names itself. */
record BenchAddress(int port, String host) implements HubAddress {
    static final String HUB = "bench-hub";

    @Override
    public String name() {
        return HUB;
    }

    @Override
    public URI link() {
        return URI.create("ws://127.0.0.1:" + port + "/link");
    }

    @Override
    public Ticket ticket() {
        return new Ticket(host, HUB);
    }
}
