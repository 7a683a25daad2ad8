package dev.skep.directory.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.DirectoryTestHub;
import dev.skep.directory.routes.Browser;
import dev.skep.kernel.identity.Role;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ada is a viewer of the default org and an admin of acme. */
class SeveralOrgsTest {
    private static final String PASSWORD = "correct horse battery";

    @TempDir Path folder;
    private DirectoryTestHub hub;
    private Browser ada;

    @BeforeEach
    void start() {
        hub = new DirectoryTestHub(folder);
        for (String org : new String[] {"acme", "other"}) {
            hub.admin().post("/api/orgs", Map.of("id", org));
        }
        ada = new Browser(hub);
        ada.post("/api/session/link", Map.of("token", added("default", "ada", Role.VIEWER)));
        ada.send("PUT", "/api/session/password", Map.of("next", PASSWORD));
        joins(ada, added("acme", "ada.a", Role.ADMIN));
    }

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void one_sign_in_opens_each_org_with_the_role_that_it_gives() {
        Browser again = signedIn("default", "ada");
        assertThat(again.get("/api/session").body())
                .contains("\"org\":\"default\"", "\"org\":\"acme\"", "\"role\":\"admin\"");
        assertThat(again.get("/api/orgs/acme/operators").statusCode()).isEqualTo(200);
        assertThat(again.get("/api/orgs/default/operators").statusCode()).isEqualTo(403);
        assertThat(again.get("/api/orgs/other/operators").statusCode()).isEqualTo(404);
    }

    @Test
    void either_name_signs_in_with_the_one_password() {
        Browser there = signedIn("acme", "ada.a");
        assertThat(there.get("/api/session").body()).contains("\"org\":\"acme\"");
        assertThat(there.get("/api/orgs/default/enrolments").statusCode()).isEqualTo(200);
    }

    @Test
    void a_session_turns_to_another_org_and_to_none_that_is_not_the_persons() {
        assertThat(ada.send("PUT", "/api/session/org", Map.of("org", "acme")).statusCode())
                .isEqualTo(200);
        assertThat(ada.get("/api/session").body()).contains("\"username\":\"ada.a\"");
        assertThat(ada.send("PUT", "/api/session/org", Map.of("org", "other")).statusCode())
                .isEqualTo(404);
        assertThat(ada.send("PUT", "/api/session/org", Map.of("org", "none")).statusCode())
                .isEqualTo(404);
        assertThat(ada.get("/api/session").body()).contains("\"username\":\"ada.a\"");
    }

    @Test
    void who_is_disabled_in_one_org_keeps_the_other() {
        hub.directory.operatorService().disable(hub.local("acme"), "ada.a");
        assertThat(ada.get("/api/orgs/acme/operators").statusCode()).isEqualTo(404);
        assertThat(ada.get("/api/orgs/default/enrolments").statusCode()).isEqualTo(200);
        assertThat(ada.get("/api/session").body()).doesNotContain("acme");
    }

    @Test
    void a_key_of_one_org_opens_no_other() {
        String issued =
                ada.post(
                                "/api/orgs/acme/keys",
                                Map.of("kind", "api", "operator", "ada.a", "label", "bot"))
                        .body();
        String key = dev.skep.transport.route.Json.fields(issued).text("secret");
        assertThat(hub.as(key).get("/api/orgs/acme/operators").status()).isEqualTo(200);
        assertThat(status(() -> hub.as(key).get("/api/orgs/default/enrolments")))
                .isEqualTo("not_found");
        assertThat(status(() -> hub.as(key).get("/api/session/sign-ins"))).isEqualTo("forbidden");
    }

    @Test
    void an_admins_link_opens_the_admins_org_only_and_changes_no_password() {
        Browser admin = admin("default");
        String link = linkOf(admin.post("/api/orgs/default/operators/ada/sign-in-link", Map.of()));
        Browser borrowed = new Browser(hub);
        assertThat(borrowed.post("/api/session/link", Map.of("token", link)).statusCode())
                .isEqualTo(200);
        assertThat(borrowed.get("/api/orgs/acme/operators").statusCode()).isEqualTo(404);
        Map<String, String> next = Map.of("current", PASSWORD, "next", "another long password");
        assertThat(borrowed.send("PUT", "/api/session/password", next).statusCode()).isEqualTo(403);
        assertThat(borrowed.send("PUT", "/api/session/org", Map.of("org", "acme")).statusCode())
                .isEqualTo(404);
    }

    @Test
    void an_admins_reset_separates_the_orgs_so_that_it_opens_no_other() {
        Browser admin = admin("default");
        String link = linkOf(admin.post("/api/orgs/default/operators/ada/reset", Map.of()));
        assertThat(ada.get("/api/session").statusCode()).isEqualTo(401);
        Browser taken = new Browser(hub);
        taken.post("/api/session/link", Map.of("token", link));
        taken.send("PUT", "/api/session/password", Map.of("next", "an admin chose this"));
        assertThat(taken.get("/api/session").body()).doesNotContain("acme");
        assertThat(taken.get("/api/orgs/acme/operators").statusCode()).isEqualTo(404);
    }

    @Test
    void a_reset_in_the_second_org_takes_nothing_from_the_first() {
        Browser admin = admin("acme");
        String link = linkOf(admin.post("/api/orgs/acme/operators/ada.a/reset", Map.of()));
        assertThat(signedIn("default", "ada").get("/api/session").body())
                .contains("\"username\":\"ada\"")
                .doesNotContain("acme");
        Browser separate = new Browser(hub);
        separate.post("/api/session/link", Map.of("token", link));
        assertThat(separate.get("/api/session").body()).contains("ada.a");
        assertThat(separate.get("/api/orgs/default/enrolments").statusCode()).isEqualTo(404);
    }

    @Test
    void nobody_joins_an_org_twice_or_as_somebody_elses_operator() {
        assertThat(joins(ada, added("acme", "ada.b", Role.VIEWER)).statusCode()).isEqualTo(409);
        Browser bob = new Browser(hub);
        bob.post("/api/session/link", Map.of("token", added("other", "bob", Role.VIEWER)));
        String toAda =
                hub.directory.operatorService().signInLink(hub.local("acme"), "ada.a").linkSecret();
        assertThat(joins(bob, toAda).statusCode()).isEqualTo(409);
        assertThat(joins(bob, "skep_signin_none").statusCode()).isEqualTo(401);
    }

    private static String status(Runnable call) {
        try {
            call.run();
            return "ok";
        } catch (dev.skep.kernel.error.SkepException e) {
            return e.code().code();
        }
    }

    private static HttpResponse<String> joins(Browser who, String link) {
        return who.post("/api/session/orgs", Map.of("token", link));
    }

    private String added(String org, String name, Role role) {
        return hub.directory.operatorService().add(hub.local(org), name, role).linkSecret();
    }

    private Browser admin(String org) {
        Browser admin = new Browser(hub);
        admin.post("/api/session/link", Map.of("token", added(org, "boss", Role.ADMIN)));
        return admin;
    }

    private static String linkOf(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(200);
        String path = dev.skep.transport.route.Json.fields(answer.body()).text("signInPath");
        return path.substring(path.indexOf('#') + 1);
    }

    private Browser signedIn(String org, String username) {
        Browser browser = new Browser(hub);
        assertThat(
                        browser.post(
                                        "/api/session",
                                        Map.of(
                                                "org",
                                                org,
                                                "username",
                                                username,
                                                "password",
                                                PASSWORD))
                                .statusCode())
                .isEqualTo(200);
        return browser;
    }
}
