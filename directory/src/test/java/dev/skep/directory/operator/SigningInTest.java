package dev.skep.directory.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.DirectoryTestHub;
import dev.skep.directory.TestProcess;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.routes.Browser;
import dev.skep.kernel.identity.Role;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SigningInTest {
    private static final String PASSWORD = "correct horse battery";

    @TempDir Path folder;
    private DirectoryTestHub hub;
    private Browser browser;

    @BeforeEach
    void start() {
        hub = new DirectoryTestHub(folder);
        browser = new Browser(hub);
    }

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void the_first_start_gives_a_link_that_works_once() {
        String link =
                hub.directory
                        .operatorService()
                        .firstSignIn(hub.local("default"))
                        .orElseThrow()
                        .linkSecret();
        assertThat(browser.post("/api/session/link", Map.of("token", link)).statusCode())
                .isEqualTo(200);
        assertThat(browser.get("/api/session").body()).contains("\"username\":\"admin\"");
        assertThat(new Browser(hub).post("/api/session/link", Map.of("token", link)).body())
                .contains("sign_in_link_invalid");
        assertThat(hub.directory.operatorService().firstSignIn(hub.local("default"))).isEmpty();
    }

    @Test
    void a_new_first_link_replaces_the_one_before_and_old_links_expire() {
        String first =
                hub.directory
                        .operatorService()
                        .firstSignIn(hub.local("default"))
                        .orElseThrow()
                        .linkSecret();
        String second =
                hub.directory
                        .operatorService()
                        .firstSignIn(hub.local("default"))
                        .orElseThrow()
                        .linkSecret();
        assertThat(browser.post("/api/session/link", Map.of("token", first)).statusCode())
                .isEqualTo(401);
        hub.process.clock.advance(OperatorSessionStore.LINK);
        assertThat(browser.post("/api/session/link", Map.of("token", second)).statusCode())
                .isEqualTo(401);
    }

    @Test
    void a_runner_with_a_supervisor_signs_people_in_without_a_hub(@TempDir Path runner) {
        try (var alone = new DirectoryTestHub(new TestProcess(runner, HostKind.RUNNER, "east-1"))) {
            String link =
                    alone.directory
                            .operatorService()
                            .firstSignIn(alone.local("default"))
                            .orElseThrow()
                            .linkSecret();
            Browser there = new Browser(alone);
            assertThat(there.post("/api/session/link", Map.of("token", link)).statusCode())
                    .isEqualTo(200);
            assertThat(there.post("/api/link/challenge", Map.of()).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void a_password_signs_in_and_its_cookie_is_out_of_scripts_reach() {
        ada(Role.VIEWER);
        var reply = signIn(browser, PASSWORD);
        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(reply.headers().firstValue("Set-Cookie").orElse(""))
                .contains("HttpOnly")
                .contains("SameSite=Strict");
        assertThat(reply.body()).doesNotContain("skep_session_");
        assertThat(browser.get("/api/session").body()).contains("\"role\":\"viewer\"");
    }

    @Test
    void tries_at_once_are_no_more_than_tries_one_after_the_other() throws Exception {
        ada(Role.VIEWER);
        List<Callable<Integer>> guesses = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String guess = "a guess, number " + i;
            guesses.add(() -> signIn(new Browser(hub), guess).statusCode());
        }
        List<Integer> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> answer : threads.invokeAll(guesses)) {
                answers.add(answer.get());
            }
        }
        assertThat(answers).containsOnly(401, 429);
        // Five, and what comes back while they are judged.
        assertThat(answers.stream().filter(status -> status == 401)).hasSizeBetween(5, 7);
    }

    @Test
    void right_passwords_use_up_no_tries() {
        ada(Role.VIEWER);
        for (int i = 0; i < 12; i++) {
            assertThat(signIn(new Browser(hub), PASSWORD).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void wrong_tries_of_a_neighbour_keep_out_no_one_who_came_before_or_has_a_link() {
        ada(Role.VIEWER);
        signIn(browser, PASSWORD);
        Browser neighbour = new Browser(hub);
        for (int i = 0; i < 20; i++) {
            assertThat(neighbour.post("/api/session/link", Map.of("token", "w")).statusCode())
                    .isEqualTo(401);
        }
        assertThat(neighbour.post("/api/session/link", Map.of("token", "w")).statusCode())
                .isEqualTo(429);
        assertThat(wrongName(neighbour).statusCode()).isEqualTo(429);
        assertThat(signIn(browser, PASSWORD).statusCode()).isEqualTo(200);
        // She has signed in from here before: a password is enough, in any browser.
        assertThat(signIn(new Browser(hub), PASSWORD).statusCode()).isEqualTo(200);
        String link =
                hub.directory
                        .operatorService()
                        .add(hub.local("default"), "bob", Role.VIEWER)
                        .linkSecret();
        assertThat(neighbour.post("/api/session/link", Map.of("token", link)).statusCode())
                .isEqualTo(200);
    }

    @Test
    void wrong_names_and_wrong_passwords_get_the_same_answer() {
        ada(Role.VIEWER);
        var wrongPassword = signIn(browser, "something else entirely");
        var wrongName = wrongName(browser);
        assertThat(wrongPassword.statusCode()).isEqualTo(401);
        assertThat(wrongName.body()).isEqualTo(wrongPassword.body());
    }

    @Test
    void wrong_tries_are_limited_for_one_name() {
        ada(Role.VIEWER);
        for (int i = 0; i < 5; i++) {
            assertThat(signIn(browser, "wrong password " + i).statusCode()).isEqualTo(401);
        }
        assertThat(signIn(browser, PASSWORD).statusCode()).isEqualTo(429);
    }

    @Test
    void a_disabled_operator_is_out_at_once() {
        ada(Role.ADMIN);
        signIn(browser, PASSWORD);
        assertThat(browser.get("/api/orgs/default/operators").statusCode()).isEqualTo(200);
        hub.directory.operatorService().disable(hub.local("default"), "ada");
        assertThat(browser.get("/api/orgs/default/operators").statusCode()).isEqualTo(401);
        assertThat(signIn(browser, PASSWORD).statusCode()).isEqualTo(401);
        hub.directory.operatorService().enable(hub.local("default"), "ada");
        assertThat(signIn(browser, PASSWORD).statusCode()).isEqualTo(200);
    }

    @Test
    void a_reset_takes_password_and_sessions_and_gives_a_link() {
        ada(Role.VIEWER);
        signIn(browser, PASSWORD);
        String link =
                hub.directory.operatorService().reset(hub.local("default"), "ada").linkSecret();
        assertThat(browser.get("/api/session").statusCode()).isEqualTo(401);
        assertThat(signIn(browser, PASSWORD).statusCode()).isEqualTo(401);
        assertThat(browser.post("/api/session/link", Map.of("token", link)).statusCode())
                .isEqualTo(200);
    }

    @Test
    void signing_out_ends_the_session_and_sessions_expire() {
        ada(Role.VIEWER);
        signIn(browser, PASSWORD);
        Browser copy = browser.copy();
        browser.send("DELETE", "/api/session", Map.of());
        assertThat(copy.get("/api/session").statusCode()).isEqualTo(401);

        signIn(browser, PASSWORD);
        hub.process.clock.advance(OperatorSessionStore.SESSION.plus(Duration.ofSeconds(1)));
        assertThat(browser.get("/api/session").statusCode()).isEqualTo(401);
    }

    @Test
    void a_new_password_needs_the_old_one_and_ends_other_sessions() {
        ada(Role.VIEWER);
        signIn(browser, PASSWORD);
        Browser elsewhere = browser.copy();
        Map<String, String> without = Map.of("next", "another long password");
        assertThat(browser.send("PUT", "/api/session/password", without).statusCode())
                .isEqualTo(401);
        Map<String, String> with = Map.of("current", PASSWORD, "next", "another long password");
        assertThat(browser.send("PUT", "/api/session/password", with).statusCode()).isEqualTo(204);
        assertThat(browser.get("/api/session").statusCode()).isEqualTo(200);
        assertThat(elsewhere.get("/api/session").statusCode()).isEqualTo(401);
    }

    @Test
    void roles_are_kept_apart() {
        ada(Role.VIEWER);
        signIn(browser, PASSWORD);
        assertThat(browser.get("/api/orgs/default/enrolments").statusCode()).isEqualTo(200);
        assertThat(browser.get("/api/orgs/default/operators").statusCode()).isEqualTo(403);
        assertThat(browser.post("/api/orgs/default/pairing-codes", Map.of()).statusCode())
                .isEqualTo(403);
        assertThat(browser.get("/api/orgs").statusCode()).isEqualTo(403);
    }

    private void ada(Role role) {
        Browser first = new Browser(hub);
        String link =
                hub.directory.operatorService().add(hub.local("default"), "ada", role).linkSecret();
        first.post("/api/session/link", Map.of("token", link));
        assertThat(
                        first.send("PUT", "/api/session/password", Map.of("next", PASSWORD))
                                .statusCode())
                .isEqualTo(204);
    }

    private static HttpResponse<String> wrongName(Browser browser) {
        return browser.post("/api/session", Map.of("username", "nobody", "password", PASSWORD));
    }

    private static HttpResponse<String> signIn(Browser browser, String password) {
        return browser.post("/api/session", Map.of("username", "ada", "password", password));
    }
}
