package dev.skep.transport.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.identity.Role;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RouteTableTest {
    private static final Access VIEWERS = Access.operators(Role.VIEWER);

    private final Route one = route(HttpMethod.GET, "/api/orgs/{org}/hosts/{host}");
    private final Route fixed = route(HttpMethod.GET, "/api/orgs/{org}/hosts/names");
    private final Route change = route(HttpMethod.PATCH, "/api/orgs/{org}/hosts/{host}");
    private final RouteTable table = new RouteTable(List.of(one, fixed, change));

    @Test
    void a_path_leads_to_its_route_with_its_parameters() {
        assertThat(table.find(HttpMethod.GET, "/api/orgs/a/hosts/b"))
                .isEqualTo(new RouteTable.Match.Found(one, Map.of("org", "a", "host", "b")));
    }

    @Test
    void a_literal_segment_is_preferred_to_a_parameter() {
        assertThat(table.find(HttpMethod.GET, "/api/orgs/a/hosts/names"))
                .isEqualTo(new RouteTable.Match.Found(fixed, Map.of("org", "a")));
    }

    @Test
    void another_method_is_told_apart_from_another_path() {
        assertThat(table.find(HttpMethod.DELETE, "/api/orgs/a/hosts/b"))
                .isEqualTo(
                        new RouteTable.Match.OtherMethods(
                                Set.of(HttpMethod.GET, HttpMethod.PATCH)));
        assertThat(table.find(HttpMethod.GET, "/api/orgs/a/hosts"))
                .isEqualTo(new RouteTable.Match.Nothing());
        assertThat(table.find(HttpMethod.GET, "/api/orgs//hosts/b"))
                .isEqualTo(new RouteTable.Match.Nothing());
    }

    @Test
    void a_route_cannot_be_there_twice() {
        assertThatThrownBy(
                        () ->
                                new RouteTable(
                                        List.of(
                                                one,
                                                route(
                                                        HttpMethod.GET,
                                                        "/api/orgs/{org}/hosts/{x}"))))
                .hasMessageContaining("twice");
    }

    @Test
    void a_route_without_its_scope_cannot_be_made() {
        assertThatThrownBy(
                        () ->
                                new Route(
                                        HttpMethod.GET,
                                        "/api/orgs/{org}/x",
                                        VIEWERS,
                                        OrgScope.CALLER,
                                        r -> Response.done()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () ->
                                new Route(
                                        HttpMethod.GET,
                                        "/api/x",
                                        VIEWERS,
                                        OrgScope.PATH,
                                        r -> Response.done()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () ->
                                new Route(
                                        HttpMethod.GET,
                                        "/api/x",
                                        Access.anyone(),
                                        OrgScope.CALLER,
                                        r -> Response.done()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Route route(HttpMethod method, String path) {
        return new Route(method, path, VIEWERS, OrgScope.PATH, request -> Response.done());
    }
}
