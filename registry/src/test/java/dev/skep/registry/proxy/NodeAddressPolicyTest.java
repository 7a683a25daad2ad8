package dev.skep.registry.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.registry.node.RegistryConnection;
import dev.skep.registry.proxy.NodeAddressPolicy.Decision;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeAddressPolicyTest {
    private final NodeAddressPolicy nodeAddressPolicy =
            new NodeAddressPolicy(Set.of("Hub"), Set.of("Gpu-Box", "198.51.100.9"), this::resolve);

    private InetAddress[] resolve(String name) throws UnknownHostException {
        return switch (name) {
            case "laptop" -> new InetAddress[] {address("192.0.2.7"), address("2001:db8::7")};
            case "gpu-box" -> new InetAddress[] {address("10.0.0.5")};
            case "nobody" -> new InetAddress[0];
            case "sly" -> new InetAddress[] {address("127.0.0.1"), address("169.254.169.254")};
            case "127.0.0.1", "192.0.2.7", "198.51.100.9", "0.0.0.0" ->
                    new InetAddress[] {address(name)};
            default -> throw new UnknownHostException(name);
        };
    }

    @Test
    void a_machine_is_dialled_where_its_agent_came_from() {
        assertThat(decide("laptop", "192.0.2.7")).isEqualTo(dial("192.0.2.7"));
        assertThat(decide("LAPTOP", "2001:db8::7")).isEqualTo(dial("2001:db8::7"));
        assertThat(decide("192.0.2.7", "192.0.2.7")).isEqualTo(dial("192.0.2.7"));
        assertThat(decide("laptop", "192.0.2.8")).isInstanceOf(Decision.Refused.class);
    }

    @Test
    void this_machine_is_loopback_for_those_who_came_over_it() {
        for (String name : new String[] {"hub", "HUB", "localhost"}) {
            assertThat(decide(name, "127.0.0.1")).isEqualTo(dial("127.0.0.1"));
            assertThat(decide(name, "::1")).isEqualTo(dial("127.0.0.1"));
            assertThat(decide(name, "192.0.2.7")).isInstanceOf(Decision.Refused.class);
        }
    }

    @Test
    void a_name_that_points_inward_is_of_no_use_to_somebody_outside() {
        assertThat(decide("sly", "203.0.113.1")).isInstanceOf(Decision.Refused.class);
        assertThat(decide("0.0.0.0", "127.0.0.1")).isInstanceOf(Decision.Refused.class);
    }

    @Test
    void what_the_operator_allowed_is_dialled_for_anybody() {
        assertThat(decide("gpu-box", "127.0.0.1")).isEqualTo(dial("10.0.0.5"));
        assertThat(decide("198.51.100.9", "127.0.0.1")).isEqualTo(dial("198.51.100.9"));
    }

    @Test
    void a_node_without_an_address_is_named_in_the_error() {
        assertThat(decide("", "127.0.0.1"))
                .isEqualTo(new Decision.Refused("Cannot resolve agent address"));
        assertThat(decide("nobody", "127.0.0.1"))
                .isEqualTo(new Decision.Refused("Cannot resolve agent address"));
        assertThat(decide("elsewhere", "127.0.0.1"))
                .isEqualTo(new Decision.Refused("Cannot resolve agent: unknown host elsewhere"));
    }

    @Test
    void a_client_behind_a_proxy_on_this_machine_is_not_local() {
        RegistryConnection proxied = new RegistryConnection(1, "127.0.0.1", false);
        for (String name : new String[] {"hub", "localhost", "127.0.0.1", "sly"}) {
            assertThat(nodeAddressPolicy.decide(name, 7, proxied))
                    .isInstanceOf(Decision.Refused.class);
        }
    }

    private Decision decide(String machine, String from) {
        boolean here = InetAddress.ofLiteral(from).isLoopbackAddress();
        return nodeAddressPolicy.decide(machine, 7, new RegistryConnection(1, from, here));
    }

    private static Decision dial(String address) {
        return new Decision.Dial(new InetSocketAddress(address(address), 7));
    }

    private static InetAddress address(String literal) {
        return InetAddress.ofLiteral(literal);
    }
}
