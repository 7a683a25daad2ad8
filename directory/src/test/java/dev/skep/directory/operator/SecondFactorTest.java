package dev.skep.directory.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.DirectoryTestHub;
import dev.skep.directory.routes.Browser;
import dev.skep.directory.secret.Totp;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecondFactorTest {
    private static final String PASSWORD = "correct horse battery";
    private static final String FACTOR = "/api/session/second-factor";

    @TempDir Path folder;
    private DirectoryTestHub hub;
    private Browser ada;

    @BeforeEach
    void start() {
        hub = new DirectoryTestHub(folder);
        ada = new Browser(hub);
        String link =
                hub.directory
                        .operatorService()
                        .add(hub.local("default"), "ada", Role.VIEWER)
                        .linkSecret();
        ada.post("/api/session/link", Map.of("token", link));
        ada.send("PUT", "/api/session/password", Map.of("next", PASSWORD));
    }

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void a_password_alone_no_longer_lets_in_and_a_code_works_once() {
        String secret = on().secret();
        Browser elsewhere = new Browser(hub);
        assertThat(signIn(elsewhere).body()).contains("second_factor_required");
        assertThat(elsewhere.get("/api/session").statusCode()).isEqualTo(401);

        String code = nextCode(secret);
        assertThat(signIn(elsewhere, code).statusCode()).isEqualTo(200);
        assertThat(signIn(new Browser(hub), code).body()).contains("wrong_code");
        assertThat(signIn(new Browser(hub), nextCode(secret)).statusCode()).isEqualTo(200);
    }

    @Test
    void it_counts_only_once_a_first_code_was_typed_and_needs_the_password() {
        assertThat(ada.post(FACTOR, Map.of("password", "not the password")).body())
                .contains("wrong_password");
        String secret = begun();
        assertThat(signIn(new Browser(hub)).statusCode()).isEqualTo(200);
        assertThat(ada.send("PUT", FACTOR, Map.of("code", "000000")).body()).contains("wrong_code");
        assertThat(signIn(new Browser(hub)).statusCode()).isEqualTo(200);
        confirmed(secret);
        assertThat(signIn(new Browser(hub)).statusCode()).isEqualTo(401);
        assertThat(ada.post(FACTOR, Map.of("password", PASSWORD)).statusCode()).isEqualTo(409);
    }

    @Test
    void each_of_ten_recovery_codes_works_once() {
        List<String> codes = on().recoveryCodes();
        assertThat(codes).hasSize(10).doesNotHaveDuplicates();
        String typed = codes.getFirst().toLowerCase(java.util.Locale.ROOT) + " ";
        assertThat(signIn(new Browser(hub), typed).statusCode()).isEqualTo(200);
        assertThat(signIn(new Browser(hub), codes.getFirst()).body()).contains("wrong_code");
        assertThat(ada.get("/api/session").body()).contains("\"recoveryCodesLeft\":9");
        assertThat(signIn(new Browser(hub), codes.getLast()).statusCode()).isEqualTo(200);
    }

    @Test
    void neither_secret_nor_codes_stand_in_the_database() {
        OnForAda factor = on();
        String stored =
                hub.process.database.read(
                        s ->
                                s.list(
                                                "SELECT secret FROM second_factors",
                                                row -> row.text("secret"))
                                        + s.list(
                                                        "SELECT code_hash FROM recovery_codes",
                                                        row -> row.text("code_hash"))
                                                .toString());
        assertThat(stored).doesNotContain(factor.secret());
        for (String code : factor.recoveryCodes()) {
            assertThat(stored).doesNotContain(code);
        }
    }

    @Test
    void a_sign_in_link_needs_the_code_too_and_waits_for_it() {
        String secret = on().secret();
        String link =
                hub.directory
                        .operatorService()
                        .signInLink(hub.local("default"), "ada")
                        .linkSecret();
        Browser elsewhere = new Browser(hub);
        assertThat(elsewhere.post("/api/session/link", Map.of("token", link)).body())
                .contains("second_factor_required");
        Map<String, String> both = Map.of("token", link, "code", nextCode(secret));
        assertThat(elsewhere.post("/api/session/link", both).statusCode()).isEqualTo(200);
    }

    @Test
    void wrong_codes_are_few_however_often_the_password_was_right() {
        String secret = on().secret();
        int judged = 0;
        for (int i = 0; i < 30; i++) {
            HttpResponse<String> answer = signIn(new Browser(hub), "00000" + i % 10);
            judged += answer.statusCode() == 401 ? 1 : 0;
            // So that passwords alone would let every try through.
            hub.laterNanos.addAndGet(Duration.ofMinutes(1).toNanos());
        }
        assertThat(judged).isBetween(10, 15);
        hub.laterNanos.addAndGet(Duration.ofHours(1).toNanos());
        assertThat(signIn(new Browser(hub), nextCode(secret)).statusCode()).isEqualTo(200);
    }

    @Test
    void its_owner_removes_it_with_a_code_and_an_admin_without_one() {
        String secret = on().secret();
        assertThat(ada.post(FACTOR + "/remove", Map.of("code", "123456")).statusCode())
                .isEqualTo(401);
        assertThat(ada.post(FACTOR + "/remove", Map.of("code", nextCode(secret))).statusCode())
                .isEqualTo(204);
        assertThat(signIn(new Browser(hub)).statusCode()).isEqualTo(200);

        on();
        try (ApiClient admin = hub.admin()) {
            admin.delete("/api/orgs/default/operators/ada/second-factor");
            assertThat(signIn(new Browser(hub)).statusCode()).isEqualTo(200);
            String audit =
                    new String(
                            admin.get("/api/orgs/default/audit").json(),
                            java.nio.charset.StandardCharsets.UTF_8);
            assertThat(audit).contains("second_factor_added").contains("second_factor_removed");
        }
    }

    private record OnForAda(String secret, List<String> recoveryCodes) {}

    private OnForAda on() {
        String secret = begun();
        return new OnForAda(secret, confirmed(secret));
    }

    private String begun() {
        JsonFields begun = Json.fields(ada.post(FACTOR, Map.of("password", PASSWORD)).body());
        assertThat(begun.text("link"))
                .isEqualTo(
                        "otpauth://totp/Skep:ada?secret=%s&issuer=Skep"
                                .formatted(begun.text("secret")));
        return begun.text("secret");
    }

    private List<String> confirmed(String secret) {
        HttpResponse<String> answer = ada.send("PUT", FACTOR, Map.of("code", nextCode(secret)));
        assertThat(answer.statusCode()).isEqualTo(200);
        return Json.fields(answer.body()).textList("recoveryCodes");
    }

    /** The app's next code: half a minute later, since each works once. */
    private String nextCode(String secret) {
        hub.process.clock.advance(Duration.ofSeconds(30));
        return Totp.codeAt(secret, hub.process.clock.instant());
    }

    private static HttpResponse<String> signIn(Browser browser) {
        return browser.post("/api/session", Map.of("username", "ada", "password", PASSWORD));
    }

    private static HttpResponse<String> signIn(Browser browser, String code) {
        return browser.post(
                "/api/session", Map.of("username", "ada", "password", PASSWORD, "code", code));
    }
}
