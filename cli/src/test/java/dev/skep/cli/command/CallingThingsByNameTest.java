package dev.skep.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.transport.client.ApiClient;
import dev.skep.transport.route.HttpMethod;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallingThingsByNameTest {
    private final FleetLookup fleetLookup = new FleetLookup(new TwoPages(), new AdminFlags());

    @Test
    void a_name_on_a_later_page_is_found_and_so_is_an_id() {
        assertThat(fleetLookup.host("gpu").text("id")).isEqualTo("3");
        assertThat(fleetLookup.host("2").shown("name")).isEqualTo("laptop");
    }

    @Test
    void a_name_of_two_is_refused_with_both_ids() {
        assertThatThrownBy(() -> fleetLookup.host("laptop"))
                .hasMessage("2 hosts are called laptop; name one by its id: 1 or 2");
        assertThat(fleetLookup.host("laptop~2").text("id")).isEqualTo("2");
    }

    /** A hub whose pages are short. */
    private static final class TwoPages implements ApiClient {
        @Override
        public Answer call(HttpMethod method, String path, Map<String, ?> body) {
            String page =
                    path.contains("after=2")
                            ? "{\"hosts\":[{\"id\":\"3\",\"name\":\"gpu\"}]}"
                            : """
                            {"next":"2","hosts":[{"id":"1","name":"laptop"},{"id":"2","name":"laptop"}]}""";
            return new Answer(200, page.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void download(String path, OutputStream out) {
            throw new AssertionError("nobody asked for " + path);
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
