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

    private final Route one = route(Method.GET, "/api/orgs/{org}/hosts/{host}");
    private final Route fixed = route(Method.GET, "/api/orgs/{org}/hosts/names");
    private final Route change = route(Method.PATCH, "/api/orgs/{org}/hosts/{host}");
    private final RouteTable table = new RouteTable(List.of(one, fixed, change));

    @Test
    void a_path_leads_to_its_route_with_its_parameters() {
        assertThat(table.find(Method.GET, "/api/orgs/a/hosts/b"))
                .isEqualTo(new RouteTable.Match.Found(one, Map.of("org", "a", "host", "b")));
    }

    @Test
    void a_literal_segment_is_preferred_to_a_parameter() {
        assertThat(table.find(Method.GET, "/api/orgs/a/hosts/names"))
                .isEqualTo(new RouteTable.Match.Found(fixed, Map.of("org", "a")));
    }

    @Test
    void another_method_is_told_apart_from_another_path() {
        assertThat(table.find(Method.DELETE, "/api/orgs/a/hosts/b"))
                .isEqualTo(new RouteTable.Match.OtherMethods(Set.of(Method.GET, Method.PATCH)));
        assertThat(table.find(Method.GET, "/api/orgs/a/hosts"))
                .isEqualTo(new RouteTable.Match.Nothing());
        assertThat(table.find(Method.GET, "/api/orgs//hosts/b"))
                .isEqualTo(new RouteTable.Match.Nothing());
    }

    @Test
    void a_route_cannot_be_there_twice() {
        assertThatThrownBy(
                        () ->
                                new RouteTable(
                                        List.of(
                                                one,
                                                route(Method.GET, "/api/orgs/{org}/hosts/{x}"))))
                .hasMessageContaining("twice");
    }

    @Test
    void a_route_without_its_scope_cannot_be_made() {
        assertThatThrownBy(
                        () ->
                                new Route(
                                        Method.GET,
                                        "/api/orgs/{org}/x",
                                        VIEWERS,
                                        OrgScope.CALLER,
                                        r -> Reply.done()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () ->
                                new Route(
                                        Method.GET,
                                        "/api/x",
                                        VIEWERS,
                                        OrgScope.PATH,
                                        r -> Reply.done()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () ->
                                new Route(
                                        Method.GET,
                                        "/api/x",
                                        Access.anyone(),
                                        OrgScope.CALLER,
                                        r -> Reply.done()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Route route(Method method, String path) {
        return new Route(method, path, VIEWERS, OrgScope.PATH, request -> Reply.done());
    }
}
