package dev.skep.directory.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.DirectoryTestHub;
import dev.skep.directory.routes.Browser;
import dev.skep.directory.secret.PrivateFile;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against npm's oidc-provider: discovery, code, PKCE, nonce, user info and rotated keys. */
class SigningInAtARealProviderTest {
    private static final String REDIRECT = "http://127.0.0.1:1/sign-in";

    @TempDir Path folder;
    private RealProvider provider;
    private DirectoryTestHub hub;

    @BeforeEach
    void start() throws Exception {
        boolean required = Boolean.getBoolean("skep.agents.required");
        Assumptions.assumeTrue(required || RealProvider.isInstalled(), RealProvider.HOW_TO_INSTALL);
        provider = RealProvider.start(REDIRECT);
        new PrivateFile(folder.resolve("sign-in.json"))
                .write(
                        Json.text(
                                Map.of(
                                        "providers",
                                        List.of(
                                                Map.of(
                                                        "id",
                                                        "company",
                                                        "name",
                                                        "The Company",
                                                        "issuer",
                                                        provider.issuer(),
                                                        "clientId",
                                                        "skep",
                                                        "clientSecret",
                                                        RealProvider.SECRET,
                                                        "scopes",
                                                        List.of("groups"),
                                                        "roles",
                                                        List.of(
                                                                role("staff", "default", "viewer"),
                                                                role("chiefs", "default", "admin"),
                                                                role(
                                                                        "acme",
                                                                        "acme",
                                                                        "operator")))))));
        hub = new DirectoryTestHub(folder);
        // Tokens are dated by real time.
        hub.process.clock.set(InstantSource.system().instant());
        hub.admin().post("/api/orgs", Map.of("id", "acme"));
    }

    private static Map<String, String> role(String group, String org, String role) {
        return Map.of("group", group, "org", org, "role", role);
    }

    @AfterEach
    void close() {
        if (hub != null) {
            hub.close();
            provider.close();
        }
    }

    @Test
    void the_page_offers_it_and_its_secret_is_shown_to_nobody() {
        Browser browser = new Browser(hub);
        assertThat(browser.get("/api/session/providers").body())
                .isEqualTo("{\"providers\":[{\"id\":\"company\",\"name\":\"The Company\"}]}");
        String started =
                browser.post("/api/session/providers/company", Map.of("redirect", REDIRECT)).body();
        assertThat(started).contains("code_challenge_method=S256").doesNotContain("verifier");
        assertThat(started).doesNotContain(RealProvider.SECRET);
    }

    @Test
    void groups_give_roles_in_several_orgs_and_the_highest_counts() throws Exception {
        provider.setGroups("maria", List.of("staff", "chiefs", "acme", "others"));
        Browser maria = new Browser(hub);
        assertThat(signIn(maria, "maria").statusCode()).isEqualTo(200);
        assertThat(maria.get("/api/orgs/default/operators").body()).contains("\"maria\"");
        assertThat(maria.get("/api/orgs/acme/operators").statusCode()).isEqualTo(403);
        assertThat(maria.get("/api/orgs/acme/enrolments").statusCode()).isEqualTo(200);
        assertThat(maria.get("/api/session").body()).contains("\"provider\":\"company\"");
    }

    @Test
    void what_the_groups_no_longer_give_is_gone_at_the_next_sign_in_and_comes_back_with_them()
            throws Exception {
        provider.setGroups("maria", List.of("chiefs", "acme"));
        Browser before = new Browser(hub);
        signIn(before, "maria");
        provider.setGroups("maria", List.of("staff"));
        Browser maria = new Browser(hub);
        signIn(maria, "maria");
        assertThat(maria.get("/api/orgs/default/operators").statusCode()).isEqualTo(403);
        // That session spoke for acme.
        assertThat(before.get("/api/session").statusCode()).isEqualTo(401);
        assertThat(maria.get("/api/orgs/acme/enrolments").statusCode()).isEqualTo(404);

        provider.setGroups("maria", List.of());
        assertThat(signIn(new Browser(hub), "maria").body()).contains("identity_refused");
        assertThat(maria.get("/api/session").statusCode()).isEqualTo(401);

        provider.setGroups("maria", List.of("staff"));
        assertThat(signIn(maria, "maria").statusCode()).isEqualTo(200);
    }

    @Test
    void whom_an_admin_disabled_no_group_lets_in() throws Exception {
        provider.setGroups("maria", List.of("staff"));
        signIn(new Browser(hub), "maria");
        hub.directory.operatorService().disable(hub.local("default"), "maria");
        assertThat(signIn(new Browser(hub), "maria").body()).contains("identity_refused");
    }

    @Test
    void who_is_in_no_group_gets_no_operator() throws Exception {
        assertThat(signIn(new Browser(hub), "eve").statusCode()).isEqualTo(403);
        assertThat(hub.directory.operatorService().all(hub.local("default").principal())).isEmpty();
    }

    @Test
    void a_name_that_is_taken_is_not_taken_over_but_its_owner_connects_the_account()
            throws Exception {
        provider.setGroups("maria", List.of("chiefs"));
        String link =
                hub.directory
                        .operatorService()
                        .add(hub.local("default"), "maria", Role.VIEWER)
                        .linkSecret();
        assertThat(signIn(new Browser(hub), "maria").body()).contains("conflict");

        Browser owner = new Browser(hub);
        owner.post("/api/session/link", Map.of("token", link));
        assertThat(owner.post("/api/session/identities", finished(owner, "maria")).statusCode())
                .isEqualTo(204);
        Browser maria = new Browser(hub);
        assertThat(signIn(maria, "maria").statusCode()).isEqualTo(200);
        // An admin made this operator, so the groups do not change its role.
        assertThat(maria.get("/api/session").body()).contains("\"role\":\"viewer\"");
        assertThat(maria.send("DELETE", "/api/session/identities/company", Map.of()).statusCode())
                .isEqualTo(204);
        assertThat(signIn(new Browser(hub), "maria").body()).contains("conflict");
    }

    @Test
    void another_browser_cannot_finish_it_and_nobody_can_twice_or_too_late() throws Exception {
        provider.setGroups("maria", List.of("staff"));
        Browser browser = new Browser(hub);
        Map<String, String> hers = finished(browser, "maria");
        JsonFields another = started(browser);
        Map<String, String> mixed = new HashMap<>(hers);
        mixed.put("flow", another.text("flow"));
        assertThat(browser.post("/api/session/identity", mixed).body())
                .contains("sign_in_link_invalid");
        assertThat(browser.post("/api/session/identity", hers).statusCode()).isEqualTo(200);
        assertThat(browser.post("/api/session/identity", hers).body()).contains("identity_refused");
        Map<String, String> late = finished(browser, "maria");
        hub.process.clock.advance(Duration.ofMinutes(10));
        assertThat(browser.post("/api/session/identity", late).body())
                .contains("sign_in_link_invalid");
    }

    @Test
    void a_key_that_the_provider_rotated_to_is_fetched() throws Exception {
        provider.setGroups("maria", List.of("staff"));
        assertThat(signIn(new Browser(hub), "maria").statusCode()).isEqualTo(200);
        provider.rotate();
        hub.laterNanos.addAndGet(Duration.ofSeconds(11).toNanos());
        assertThat(signIn(new Browser(hub), "maria").statusCode()).isEqualTo(200);
    }

    private JsonFields started(Browser browser) {
        return Json.fields(
                browser.post("/api/session/providers/company", Map.of("redirect", REDIRECT))
                        .body());
    }

    private Map<String, String> finished(Browser browser, String account) throws Exception {
        JsonFields started = started(browser);
        Map<String, String> query = provider.logIn(started.text("url"), account);
        return Map.of(
                "flow",
                started.text("flow"),
                "state",
                query.getOrDefault("state", ""),
                "code",
                query.getOrDefault("code", ""));
    }

    private HttpResponse<String> signIn(Browser browser, String account) throws Exception {
        return browser.post("/api/session/identity", finished(browser, account));
    }
}
