package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.testkit.hub.DescribedCalls;
import dev.skep.testkit.hub.PlainWords;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every module whose tests have testkit-hub is checked in this way without a word. */
class ComparedWithDescriptionsTest {
    private record Shown(String name, @Nullable Integer size) {}

    private record Asked(String name) {}

    private static final Operation SHOWS = Operation.of("Shows it.").answers(Shown.class);

    @Test
    void an_answer_as_described_passes_and_is_counted() {
        long before = DescribedCalls.compared();
        assertThat(ask(SHOWS, Map.of("name", "x"), "").status()).isEqualTo(200);
        assertThat(DescribedCalls.compared()).isGreaterThan(before);
    }

    @Test
    void an_answer_that_differs_is_a_failure_that_says_where() {
        differs(SHOWS, Map.of("size", 1), "", "$.name is missing");
        differs(SHOWS, Map.of("name", "x", "colour", "red"), "", "$.colour is not described");
        differs(SHOWS, Map.of("name", 7), "", "$.name is integer, not string");
        differs(SHOWS, List.of(), "", "$ is array, not object");
        differs(Operation.of("?").creates(Shown.class), Map.of(), "", "status 200");
    }

    @Test
    void a_body_that_was_taken_and_is_not_described_is_a_failure_too() {
        Operation takes = SHOWS.takes(Asked.class);
        assertThat(ask(takes, Map.of("name", "x"), "{\"name\": \"y\"}").status()).isEqualTo(200);
        differs(takes, Map.of("name", "x"), "{\"called\": \"y\"}", "body");
    }

    private static void differs(Operation as, Object value, String body, String how) {
        assertThatThrownBy(() -> ask(as, value, body)).hasMessageContaining(how);
    }

    private static Response ask(Operation as, Object value, String body) {
        Route route =
                new Route(
                                HttpMethod.POST,
                                "/api/x",
                                Access.anyone(),
                                OrgScope.NONE,
                                request -> {
                                    var _ = request.body().bytes();
                                    return Response.json(value);
                                })
                        .described(as);
        return new Router(new RouteTable(List.of(route)), new PlainWords())
                .answer(
                        Request.of(
                                HttpMethod.POST,
                                "/api/x",
                                "",
                                Credentials.none("test"),
                                body.getBytes(StandardCharsets.UTF_8)));
    }
}
