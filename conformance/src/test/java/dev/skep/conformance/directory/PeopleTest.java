package dev.skep.conformance.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.skep.directory.HostTable;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.secret.Totp;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.SyncTables;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.TestDatabase;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.InProcessApiClient;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Passwords, second factors, several orgs and sign-ins, on both databases. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class PeopleTest {
    private static final String PASSWORD = "correct horse battery";

    private final TestDatabase kind;
    private final SettableClock clock = SettableClock.atNewYear();
    private final SecureRandom random = new SecureRandom();
    @TempDir Path folder;
    private Database database;
    private Directory directory;
    private Router router;
    private String session = "";

    PeopleTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        UlidSource ids = new UlidSource(clock, random);
        database = Databases.open(kind.create(folder), clock);
        LocalHost host =
                LocalHost.open(
                        database,
                        new SyncTables(List.of(HostTable.HOSTS)),
                        new FeedClock(clock, random),
                        ids,
                        clock,
                        random,
                        new LocalHost.Config(folder, "hub", HostKind.HUB));
        directory =
                new Directory(
                        database,
                        host,
                        new EventBus(),
                        new Directory.Sources(ids, clock, clock, System::nanoTime, random),
                        new Directory.Config(
                                folder,
                                Optional.empty(),
                                2,
                                (p, a) -> Optional.empty(),
                                p -> Map.of()));
        router =
                new Router(
                        new RouteTable(directory.routes()),
                        directory.authentication(Optional.of("admin")));
        as("admin").post("/api/orgs", Map.of("id", "acme"));
        session = byLink(added("default", "ada"));
        session =
                as(session)
                        .call(
                                HttpMethod.PUT,
                                "/api/session/password",
                                Map.of("next", PASSWORD, "bearer", true))
                        .fields()
                        .text("session");
    }

    @AfterEach
    void close() {
        directory.close();
        database.close();
    }

    @Test
    void of_many_sign_ins_with_one_code_one_gets_in() throws Exception {
        String secret = secondFactor();
        clock.advance(Duration.ofSeconds(30));
        String code = Totp.codeAt(secret, clock.instant());
        List<Future<Boolean>> tries = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                tries.add(threads.submit(() -> catchThrowable(() -> signIn(code)) == null));
            }
        }
        int in = 0;
        for (Future<Boolean> each : tries) {
            in += each.get() ? 1 : 0;
        }
        assertThat(in).isOne();
    }

    @Test
    void a_recovery_code_works_once_and_an_admin_resets_the_rest() {
        secondFactor();
        String recovery = recoveryCodes.getFirst();
        assertThat(signIn(recovery)).startsWith("skep_session_");
        assertThat(catchThrowable(() -> signIn(recovery))).hasMessageContaining("was used");
        as("admin").delete("/api/orgs/default/operators/ada/second-factor");
        assertThat(signIn("")).startsWith("skep_session_");
    }

    @Test
    void one_sign_in_acts_in_both_orgs_until_one_is_taken_away() {
        as(session).post("/api/session/orgs", Map.of("token", added("acme", "ada")));
        assertThat(as(session).get("/api/session").fields().list("orgs")).hasSize(2);
        assertThat(as(session).get("/api/orgs/acme/enrolments").status()).isEqualTo(200);
        as(session).call(HttpMethod.PUT, "/api/session/org", Map.of("org", "acme"));
        assertThat(as(session).get("/api/session").fields().text("org")).isEqualTo("acme");
        as(session).call(HttpMethod.PUT, "/api/session/org", Map.of("org", "default"));
        directory.operatorService().disable(local("acme"), "ada");
        assertThat(catchThrowable(() -> as(session).get("/api/orgs/acme/enrolments")))
                .hasMessageContaining("there is no org acme");
    }

    @Test
    void sign_ins_are_listed_and_ended() {
        String another = signIn("");
        var both = as(session).get("/api/session/sign-ins").fields().list("signIns");
        assertThat(both).hasSize(2);
        String id = as(another).get("/api/session/sign-ins").fields().text("current");
        as(session).delete("/api/session/sign-ins/" + id);
        assertThat(catchThrowable(() -> as(another).get("/api/session")))
                .hasMessageContaining("signed out");
    }

    private List<String> recoveryCodes = List.of();

    private String secondFactor() {
        String secret =
                as(session)
                        .post("/api/session/second-factor", Map.of("password", PASSWORD))
                        .fields()
                        .text("secret");
        recoveryCodes =
                as(session)
                        .call(
                                HttpMethod.PUT,
                                "/api/session/second-factor",
                                Map.of("code", Totp.codeAt(secret, clock.instant())))
                        .fields()
                        .textList("recoveryCodes");
        return secret;
    }

    private String signIn(String code) {
        return as("").post(
                        "/api/session",
                        Map.of(
                                "username",
                                "ada",
                                "password",
                                PASSWORD,
                                "code",
                                code,
                                "bearer",
                                true))
                .fields()
                .text("session");
    }

    private String byLink(String link) {
        return as("").post("/api/session/link", Map.of("token", link, "bearer", true))
                .fields()
                .text("session");
    }

    private String added(String org, String name) {
        return directory.operatorService().add(local(org), name, Role.VIEWER).linkSecret();
    }

    private static Actor local(String org) {
        return Actor.local(new OrgId(org));
    }

    private ApiClient as(String bearer) {
        return new InProcessApiClient(
                router,
                new Credentials(
                        Optional.of(bearer).filter(text -> !text.isEmpty()),
                        Optional.empty(),
                        "127.0.0.1",
                        true));
    }
}
