package dev.skep.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.RawWebSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectProxyTest extends ProxyRules {
    @Override
    Place open(Path folder) {
        TestRegistry testRegistry = new TestRegistry(TestRegistry.Options.in(folder));
        return new Place() {
            @Override
            public int agents() {
                return testRegistry.port();
            }

            @Override
            public int dashboards() {
                return testRegistry.port();
            }

            @Override
            public void close() {
                testRegistry.close();
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
        try (TestRegistry testRegistry = new TestRegistry(TestRegistry.Options.in(folder));
                TestAgent agent = new TestAgent();
                TestRegistryClient registered = testRegistry.client()) {
            registered.register("a", "here", agent.port());
            testRegistry.clock.advance(Duration.ofSeconds(25));
            try (RawWebSocket dashboard = RawWebSocket.connect(testRegistry.port(), "/ws/agent/a");
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
