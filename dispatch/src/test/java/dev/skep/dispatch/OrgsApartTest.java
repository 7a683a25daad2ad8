package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Route;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generated from the route table: a route with an id nobody has here fails. */
class OrgsApartTest {
    @TempDir Path folder;
    private TwoOrgs orgs;

    @BeforeEach
    void open() {
        orgs = new TwoOrgs(folder);
    }

    @AfterEach
    void close() {
        orgs.close();
    }

    @Test
    void another_orgs_id_is_answered_like_a_nonsense_id() {
        int compared = 0;
        for (Route route : orgs.hub.table().routes()) {
            if (!TwoOrgs.namesSomething(route)) {
                continue;
            }
            DispatchTestHub.Answer theirs = orgs.ask(route, "b", orgs.ofA);
            DispatchTestHub.Answer nonsense = orgs.ask(route, "b", TwoOrgs.nonsense());
            assertThat(theirs.status()).as("%s", route).isEqualTo(404);
            assertThat(nonsense.status()).as("%s", route).isEqualTo(404);
            assertThat(TwoOrgs.masked(theirs.body(), orgs.ofA))
                    .as("%s", route)
                    .isEqualTo(TwoOrgs.masked(nonsense.body(), TwoOrgs.nonsense()));
            compared++;
        }
        assertThat(compared).isGreaterThanOrEqualTo(17);
        orgs.assertUntouched();
    }

    @Test
    void another_orgs_name_is_answered_like_a_nonsense_name() {
        for (Route route : orgs.hub.table().routes()) {
            if (route.scope() != OrgScope.PATH) {
                continue;
            }
            String path = TwoOrgs.path(route, "default", orgs.ofA);
            String nonsense = TwoOrgs.path(route, TwoOrgs.NONSENSE, orgs.ofA);
            DispatchTestHub.Answer theirs = orgs.send(route, "operator:b", path, orgs.ofA);
            DispatchTestHub.Answer none = orgs.send(route, "operator:b", nonsense, orgs.ofA);
            assertThat(theirs.status()).as("%s", route).isEqualTo(404);
            assertThat(theirs.body().replace("default", "ORG"))
                    .isEqualTo(none.body().replace(TwoOrgs.NONSENSE, "ORG"));
        }
    }

    @Test
    void lists_hold_nothing_of_another_org() {
        for (Route route : orgs.hub.table().routes()) {
            boolean list =
                    route.method() == HttpMethod.GET
                            && route.parameters().equals(List.of("org"))
                            && !route.path().endsWith("/events");
            if (list) {
                DispatchTestHub.Answer answer = orgs.ask(route, "b", orgs.ofA);
                assertThat(answer.status()).as("%s", route).isEqualTo(200);
                orgs.ofA.values().forEach(id -> assertThat(answer.body()).doesNotContain(id));
            }
        }
    }
}
