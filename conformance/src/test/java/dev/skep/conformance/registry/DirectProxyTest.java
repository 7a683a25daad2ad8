package dev.skep.conformance.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.RawWebSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectProxyTest extends ProxyRules {
    @Override
    Place open(Path folder) {
        House house = new House(House.Options.in(folder));
        return new Place() {
            @Override
            public int agents() {
                return house.port();
            }

            @Override
            public int dashboards() {
                return house.port();
            }

            @Override
            public void close() {
                house.close();
            }
        };
    }

    /** Without a token everybody on the machine runs it. */
    @Override
    public boolean mayKnowWhy() {
        return true;
    }

    @Test
    void a_relayed_message_is_a_sign_of_life(@TempDir Path folder) throws Exception {
        try (House house = new House(House.Options.in(folder));
                Agent agent = new Agent();
                Client registered = house.client()) {
            registered.register("a", "here", agent.port());
            house.clock.advance(Duration.ofSeconds(25));
            try (RawWebSocket dashboard = RawWebSocket.connect(house.port(), "/ws/agent/a");
                    RawWebSocket side = agent.acceptSocket()) {
                side.text("x");
                dashboard.message();
                registered.settle();
                assertThat(
                                registered
                                        .call("list_nodes", null)
                                        .path(0)
                                        .path("last_seen_at")
                                        .asString())
                        .isEqualTo("2027-01-01T00:00:25.000000Z");
            }
        }
    }
}
