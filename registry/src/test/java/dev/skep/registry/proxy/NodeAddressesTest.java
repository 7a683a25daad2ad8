package dev.skep.registry.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.registry.proxy.NodeAddresses.Decision;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeAddressesTest {
    private final NodeAddresses addresses =
            new NodeAddresses(Set.of("Hub"), Set.of("Gpu-Box", "198.51.100.9"), this::resolve);

    private InetAddress[] resolve(String name) throws UnknownHostException {
        return switch (name) {
            case "laptop" -> new InetAddress[] {address("192.0.2.7"), address("2001:db8::7")};
            case "gpu-box" -> new InetAddress[] {address("10.0.0.5")};
            case "nobody" -> new InetAddress[0];
            case "sly" -> new InetAddress[] {address("127.0.0.1"), address("169.254.169.254")};
            case "192.0.2.7", "198.51.100.9", "0.0.0.0" -> new InetAddress[] {address(name)};
            default -> throw new UnknownHostException(name);
        };
    }

    @Test
    void a_machine_is_dialled_where_its_agent_came_from() {
        assertThat(addresses.decide("laptop", 7, "192.0.2.7")).isEqualTo(dial("192.0.2.7"));
        assertThat(addresses.decide("LAPTOP", 7, "2001:db8::7")).isEqualTo(dial("2001:db8::7"));
        assertThat(addresses.decide("192.0.2.7", 7, "192.0.2.7")).isEqualTo(dial("192.0.2.7"));
        assertThat(addresses.decide("laptop", 7, "192.0.2.8")).isInstanceOf(Decision.Refused.class);
    }

    @Test
    void this_machine_is_loopback_for_those_who_came_over_it() {
        for (String name : new String[] {"hub", "HUB", "localhost"}) {
            assertThat(addresses.decide(name, 7, "127.0.0.1")).isEqualTo(dial("127.0.0.1"));
            assertThat(addresses.decide(name, 7, "::1")).isEqualTo(dial("127.0.0.1"));
            assertThat(addresses.decide(name, 7, "192.0.2.7"))
                    .isInstanceOf(Decision.Refused.class);
        }
    }

    @Test
    void a_name_that_points_inward_is_of_no_use_to_somebody_outside() {
        assertThat(addresses.decide("sly", 7, "203.0.113.1")).isInstanceOf(Decision.Refused.class);
        assertThat(addresses.decide("0.0.0.0", 7, "127.0.0.1"))
                .isInstanceOf(Decision.Refused.class);
    }

    @Test
    void what_the_operator_allowed_is_dialled_for_anybody() {
        assertThat(addresses.decide("gpu-box", 7, "127.0.0.1")).isEqualTo(dial("10.0.0.5"));
        assertThat(addresses.decide("198.51.100.9", 7, "127.0.0.1"))
                .isEqualTo(dial("198.51.100.9"));
    }

    @Test
    void what_has_no_address_is_told() {
        assertThat(addresses.decide("", 7, "127.0.0.1"))
                .isEqualTo(new Decision.Refused("Cannot resolve agent address"));
        assertThat(addresses.decide("nobody", 7, "127.0.0.1"))
                .isEqualTo(new Decision.Refused("Cannot resolve agent address"));
        assertThat(addresses.decide("elsewhere", 7, "127.0.0.1"))
                .isEqualTo(new Decision.Refused("Cannot resolve agent: unknown host elsewhere"));
    }

    private static Decision dial(String address) {
        return new Decision.Dial(new InetSocketAddress(address(address), 7));
    }

    private static InetAddress address(String literal) {
        return InetAddress.ofLiteral(literal);
    }
}
