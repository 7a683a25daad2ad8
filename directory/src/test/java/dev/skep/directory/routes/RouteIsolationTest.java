package dev.skep.directory.routes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.DirectoryTestHub;
import dev.skep.directory.TestProcess;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.key.ApiKeyKind;
import dev.skep.directory.key.ApiKeyStore;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Route;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Generated from the route table: an admin of one org asks for everything with another org's ids,
 * and must get what nonsense ids get. A new parameter fails here until it is given an id to try.
 */
class RouteIsolationTest {
    private static final String NONSENSE = "01JZZZZZZZZZZZZZZZZZZZZZZZ";

    @TempDir Path folder;
    private DirectoryTestHub hub;
    private Browser admin;
    private Map<String, String> foreign = Map.of();

    @BeforeEach
    void two_orgs_with_everything_in_both() {
        hub = new DirectoryTestHub(folder.resolve("hub"));
        hub.admin().post("/api/orgs", Map.of("id", "acme"));
        String key = issueKey().secret();
        try (var theirs =
                new TestProcess(folder.resolve("theirs"), HostKind.RUNNER, "their-host")) {
            hub.session(theirs.host, Optional.of(key)).token();
            var added =
                    hub.directory
                            .operatorService()
                            .add(hub.local("acme"), "their-admin", Role.ADMIN);
            new Browser(hub).post("/api/session/link", Map.of("token", added.linkSecret()));
            foreign =
                    Map.of(
                            "signin",
                            hub.directory
                                    .operatorService()
                                    .signIns(hub.local("acme").principal(), "their-admin")
                                    .getFirst()
                                    .id(),
                            "provider",
                            "acme-provider",
                            "org",
                            "acme",
                            "host",
                            theirs.host.id().value(),
                            "operator",
                            added.operator().id(),
                            "key",
                            issueKey().id(),
                            "agent",
                            "acme" + DirectoryTestHub.AGENT_SUFFIX);
        }
        admin = new Browser(hub);
        String link =
                hub.directory
                        .operatorService()
                        .add(hub.local("default"), "our-admin", Role.ADMIN)
                        .linkSecret();
        admin.post("/api/session/link", Map.of("token", link));
    }

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void every_route_answers_another_orgs_ids_like_nonsense() {
        List<String> tried = new ArrayList<>();
        for (Route route : hub.router.table().routes()) {
            for (String parameter : route.parameters()) {
                assertThat(foreign)
                        .as("an id of another org for {%s} of %s", parameter, route)
                        .containsKey(parameter);
                String id = foreign.getOrDefault(parameter, "");
                HttpResponse<String> theirs = ask(route, parameter, id);
                HttpResponse<String> nonsense = ask(route, parameter, NONSENSE);
                assertThat(theirs.statusCode()).as("%s", route).isIn(403, 404);
                assertThat(theirs.statusCode()).as("%s", route).isEqualTo(nonsense.statusCode());
                assertThat(theirs.body().replace(id, "ID").replace(NONSENSE, "ID"))
                        .as("%s", route)
                        .isEqualTo(nonsense.body().replace(NONSENSE, "ID"));
                assertThat(headers(theirs)).as("%s", route).isEqualTo(headers(nonsense));
                tried.add(route + " by " + parameter);
            }
        }
        assertThat(tried).hasSizeGreaterThan(20);
    }

    @Test
    void ids_in_bodies_are_no_way_around() {
        sameForBody(
                "/api/orgs/default/pairing-codes",
                Map.of(),
                "replaces",
                foreign.getOrDefault("host", ""));
        sameForBody(
                "/api/orgs/default/keys",
                Map.of("kind", "agent"),
                "agentId",
                foreign.getOrDefault("agent", ""));
    }

    @Test
    void lists_hold_ones_own_only() {
        for (Route route : hub.router.table().routes()) {
            boolean isList =
                    route.scope() == OrgScope.PATH
                            && route.parameters().size() == 1
                            && route.method() == HttpMethod.GET;
            if (isList) {
                String body = admin.get(route.path().replace("{org}", "default")).body();
                for (String id : foreign.values()) {
                    assertThat(body).as("%s", route).doesNotContain(id);
                }
                assertThat(body).doesNotContain("their-admin").doesNotContain("their-host");
            }
        }
    }

    /** Without the one that tells whether the body came before the answer went. */
    private static Set<String> headers(HttpResponse<String> reply) {
        Set<String> names = new TreeSet<>(reply.headers().map().keySet());
        names.remove("connection");
        return names;
    }

    private HttpResponse<String> ask(Route route, String parameter, String id) {
        String path = route.path().replace("{" + parameter + "}", id).replace("{org}", "default");
        for (String other : route.parameters()) {
            path = path.replace("{" + other + "}", NONSENSE);
        }
        return admin.send(route.method().name(), path, Map.of());
    }

    private void sameForBody(String path, Map<String, String> more, String field, String id) {
        HttpResponse<String> theirs = admin.post(path, with(more, field, id));
        HttpResponse<String> nonsense = admin.post(path, with(more, field, NONSENSE));
        assertThat(theirs.statusCode()).isEqualTo(404);
        assertThat(theirs.body().replace(id, "ID"))
                .isEqualTo(nonsense.body().replace(NONSENSE, "ID"));
    }

    private static Map<String, String> with(Map<String, String> more, String field, String id) {
        Map<String, String> body = new HashMap<>(more);
        body.put(field, id);
        return body;
    }

    private ApiKeyStore.IssuedKey issueKey() {
        var newApiKey =
                new ApiKeyStore.NewApiKey(
                        ApiKeyKind.ACCESS_KEY, "", Optional.empty(), Optional.empty());
        return hub.process.database.write(
                tx -> hub.directory.keys().issue(tx, hub.local("acme"), newApiKey));
    }
}
