package dev.skep.directory.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.DirectoryTestHub;
import dev.skep.directory.routes.Browser;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignInsTest {
    private static final String PASSWORD = "correct horse battery";
    private static final String MINE = "/api/session/sign-ins";
    private static final String ADAS = "/api/orgs/default/operators/ada/sign-ins";

    @TempDir Path folder;
    private DirectoryTestHub hub;
    private Browser laptop;
    private Browser phone;

    @BeforeEach
    void two_sign_ins() {
        hub = new DirectoryTestHub(folder);
        String link =
                hub.directory
                        .operatorService()
                        .add(hub.local("default"), "ada", Role.VIEWER)
                        .linkSecret();
        laptop = new Browser(hub);
        laptop.post("/api/session/link", Map.of("token", link, "client", "Firefox on Linux"));
        laptop.send(
                "PUT",
                "/api/session/password",
                Map.of("next", PASSWORD, "client", "Firefox on Linux"));
        phone = signedIn("Safari on iOS");
    }

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void each_says_where_from_with_what_since_when_and_when_last() {
        hub.process.clock.advance(Duration.ofMinutes(5));
        assertThat(phone.get("/api/session").statusCode()).isEqualTo(200);
        JsonFields mine = Json.fields(phone.get(MINE).body());
        List<JsonFields> both = mine.list("signIns");
        assertThat(both)
                .extracting(each -> each.shown("client"))
                .containsExactlyInAnyOrder("Firefox on Linux", "Safari on iOS");
        JsonFields current =
                both.stream()
                        .filter(each -> each.text("id").equals(mine.text("current")))
                        .findFirst()
                        .orElseThrow();
        assertThat(current.shown("client")).isEqualTo("Safari on iOS");
        assertThat(current.shown("address")).isEqualTo("127.0.0.1");
        assertThat(current.text("usedAt")).isGreaterThan(current.text("createdAt"));
        assertThat(phone.get(MINE).body()).doesNotContain("skep_session_");
    }

    @Test
    void one_of_them_is_ended_and_the_other_goes_on() {
        assertThat(
                        phone.send("DELETE", MINE + "/" + idOf("Firefox on Linux"), Map.of())
                                .statusCode())
                .isEqualTo(204);
        assertThat(laptop.get("/api/session").statusCode()).isEqualTo(401);
        assertThat(phone.get("/api/session").statusCode()).isEqualTo(200);
    }

    @Test
    void an_admin_sees_and_ends_them_and_the_log_says_so() {
        String id = idOf("Safari on iOS");
        try (ApiClient admin = hub.admin()) {
            assertThat(admin.get(ADAS).fields().list("signIns")).hasSize(2);
            admin.delete(ADAS + "/" + id);
            assertThat(phone.get("/api/session").statusCode()).isEqualTo(401);
            assertThat(
                            admin.get("/api/orgs/default/audit?action=session_ended")
                                    .fields()
                                    .list("entries"))
                    .hasSize(1);
        }
    }

    @Test
    void nobody_ends_those_of_somebody_else() {
        String link =
                hub.directory
                        .operatorService()
                        .add(hub.local("default"), "bob", Role.VIEWER)
                        .linkSecret();
        Browser bob = new Browser(hub);
        bob.post("/api/session/link", Map.of("token", link));
        assertThat(bob.send("DELETE", MINE + "/" + idOf("Safari on iOS"), Map.of()).statusCode())
                .isEqualTo(404);
        assertThat(phone.get("/api/session").statusCode()).isEqualTo(200);
    }

    @Test
    void a_password_that_the_command_line_sets_ends_them_all() {
        try (ApiClient admin = hub.admin()) {
            admin.call(
                    dev.skep.transport.route.HttpMethod.PUT,
                    "/api/orgs/default/operators/ada/password",
                    Map.of("next", "set on the machine"));
        }
        assertThat(laptop.get("/api/session").statusCode()).isEqualTo(401);
        assertThat(phone.get("/api/session").statusCode()).isEqualTo(401);
        assertThat(
                        phone.post(
                                        "/api/session",
                                        Map.of("username", "ada", "password", "set on the machine"))
                                .statusCode())
                .isEqualTo(200);
    }

    @Test
    void a_command_gets_its_session_as_a_bearer_and_no_cookie() {
        Browser command = new Browser(hub);
        var answer =
                command.post(
                        "/api/session",
                        Map.of("username", "ada", "password", PASSWORD, "bearer", true));
        assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
        String secret = Json.fields(answer.body()).text("session");
        assertThat(hub.as(secret).get("/api/session").fields().text("username")).isEqualTo("ada");
        hub.as(secret).delete("/api/session");
        assertThat(
                        org.assertj.core.api.Assertions.catchThrowable(
                                () -> hub.as(secret).get("/api/session")))
                .hasMessageContaining("signed out");
    }

    private String idOf(String client) {
        return Json.fields(phone.get(MINE).body()).list("signIns").stream()
                .filter(each -> each.shown("client").equals(client))
                .findFirst()
                .orElseThrow()
                .text("id");
    }

    private Browser signedIn(String client) {
        Browser browser = new Browser(hub);
        assertThat(
                        browser.post(
                                        "/api/session",
                                        Map.of(
                                                "username",
                                                "ada",
                                                "password",
                                                PASSWORD,
                                                "client",
                                                client))
                                .statusCode())
                .isEqualTo(200);
        return browser;
    }
}
