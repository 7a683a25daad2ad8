package dev.skep.conformance.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.directory.HostTable;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.audit.AuditEntry;
import dev.skep.directory.audit.AuditFilter;
import dev.skep.directory.enrolment.ConnectedHosts;
import dev.skep.directory.enrolment.Enrolment.Ticket;
import dev.skep.directory.enrolment.HostClaim;
import dev.skep.directory.enrolment.LinkClaims;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LinkStatement;
import dev.skep.directory.host.LinkStatement.Purpose;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.key.ApiKeyKind;
import dev.skep.directory.key.ApiKeyStore;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.directory.secret.SigningKey;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.SyncTables;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.hub.RouteIsolation;
import dev.skep.testkit.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class DirectoryTest {
    private static final Actor LOCAL = Actor.local(new OrgId("default"));

    private final TestDatabase kind;
    private final SettableClock clock = SettableClock.atNewYear();
    private final SettableClock steady = SettableClock.atNewYear();
    private final SecureRandom random = new SecureRandom();
    private final UlidSource ids = new UlidSource(clock, random);
    @TempDir Path folder;
    private DatabaseUrl url = new DatabaseUrl.Sqlite(Path.of(""));
    private Database database;
    private LocalHost host;
    private Directory directory;

    DirectoryTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        url = kind.create(folder);
        start();
    }

    private void start() {
        database = Databases.open(url, clock);
        host =
                LocalHost.open(
                        database,
                        new SyncTables(List.of(HostTable.HOSTS)),
                        new FeedClock(clock, random),
                        ids,
                        clock,
                        random,
                        new LocalHost.Config(folder, "hub", HostKind.HUB));
        directory = another();
    }

    /** As another process on the same database has it. */
    private Directory another() {
        return new Directory(
                database,
                host,
                new EventBus(),
                new Directory.Sources(ids, clock, steady, System::nanoTime, random),
                new Directory.Config(
                        folder, Optional.empty(), 2, (p, a) -> Optional.empty(), p -> Map.of()));
    }

    @AfterEach
    void close() {
        directory.close();
        database.close();
    }

    @Test
    void a_link_that_another_process_opened_is_known_here_once_its_notice_arrives() {
        Directory there = another();
        var claims =
                new LinkClaims(
                        DefaultOrg.DEFAULT,
                        new HostId(ids.next()),
                        1,
                        "a machine and a folder",
                        Duration.ZERO,
                        clock.instant().plusSeconds(60));
        LinkClaims copy =
                new LinkClaims(
                        claims.org(),
                        claims.host(),
                        1,
                        "another folder",
                        Duration.ZERO,
                        claims.expiresAt());
        ConnectedHosts here = directory.acceptor().links();
        var told = new AtomicInteger();
        here.onChange(told::incrementAndGet);
        ConnectedHosts.Lease link = there.acceptor().links().claim(claims, () -> {});
        here.refresh();

        // A file has one process.
        boolean shared = kind == TestDatabase.POSTGRES;
        assertThat(here.isLive(claims.host())).isEqualTo(shared);
        here.refuseClonedHost(claims);
        assertThat(isRefused(here, copy)).isEqualTo(shared);
        link.close();
        here.refresh();
        here.refuseClonedHost(copy);
        assertThat(here.isLive(claims.host())).isFalse();
        assertThat(told).hasValue(shared ? 2 : 0);
        there.close();
    }

    private static boolean isRefused(ConnectedHosts connectedHosts, LinkClaims claims) {
        try {
            connectedHosts.refuseClonedHost(claims);
            return false;
        } catch (SkepException e) {
            return e.code() == ErrorCode.DUPLICATE_HOST;
        }
    }

    @Test
    void a_restart_finds_the_same_host() {
        String id = directory.host().id().value();
        close();
        start();
        assertThat(directory.host().id().value()).isEqualTo(id);
    }

    @Test
    void of_many_machines_with_one_code_one_gets_in() throws Exception {
        String code = directory.acceptor().hosts().pair(LOCAL, Optional.empty()).code();
        List<Future<OrgId>> tries = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                HostClaim claim = claim(ids.next(), SigningKey.generate(random));
                tries.add(
                        threads.submit(
                                () ->
                                        directory
                                                .acceptor()
                                                .enrolment()
                                                .enrol(claim, new Ticket.PairingCode(code), "t")));
            }
        }
        int in = 0;
        for (Future<OrgId> each : tries) {
            try {
                assertThat(each.get().value()).isEqualTo("default");
                in++;
            } catch (ExecutionException e) {
                assertThat(e.getCause())
                        .isInstanceOfSatisfying(
                                SkepException.class,
                                s -> assertThat(s.code()).isEqualTo(ErrorCode.PAIRING_CODE_USED));
            }
        }
        assertThat(in).isEqualTo(1);
        assertThat(directory.acceptor().hosts().all(LOCAL.principal())).hasSize(1);
    }

    @Test
    void of_many_keys_for_one_host_id_one_gets_it() throws Exception {
        String secret = joinKey();
        String id = ids.next();
        List<Future<OrgId>> tries = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                HostClaim claim = claim(id, SigningKey.generate(random));
                tries.add(
                        threads.submit(
                                () ->
                                        directory
                                                .acceptor()
                                                .enrolment()
                                                .enrol(claim, new Ticket.AccessKey(secret), "t")));
            }
        }
        long in = tries.stream().filter(t -> t.state() == Future.State.SUCCESS).count();
        assertThat(in).isEqualTo(1);
    }

    @Test
    void a_pairing_code_lasts_as_long_whatever_the_wall_clock_is_set_to() {
        var hostAcceptor = directory.acceptor();
        var code =
                new Ticket.PairingCode(hostAcceptor.hosts().pair(LOCAL, Optional.empty()).code());
        clock.advance(Duration.ofDays(3));
        HostClaim claim = claim(ids.next(), SigningKey.generate(random));
        assertThat(hostAcceptor.enrolment().enrol(claim, code, "t").value()).isEqualTo("default");
    }

    @Test
    void what_was_done_is_in_the_log_and_what_failed_is_not() {
        directory.operatorService().add(LOCAL, "ada", Role.ADMIN);
        assertThatThrownBy(() -> directory.operatorService().add(LOCAL, "ada", Role.VIEWER))
                .hasMessageContaining("already");
        clock.advance(Duration.ofHours(1));
        directory.operatorService().disable(LOCAL, "ada");

        List<AuditEntry> all = entries(AuditFilter.ALL);
        assertThat(all)
                .extracting(AuditEntry::action)
                .containsExactly("operator_disabled", "operator_added");
        assertThat(all.getLast().detail()).isEqualTo("{\"role\":\"ADMIN\",\"username\":\"ada\"}");
        assertThat(entries(filter(Optional.of("operator_added")))).hasSize(1);
        List<String> exported = new ArrayList<>();
        database.read(
                s -> {
                    directory
                            .audit()
                            .each(
                                    s,
                                    LOCAL.principal(),
                                    AuditFilter.ALL,
                                    e -> exported.add(e.action()));
                    return s.dialect();
                });
        assertThat(exported).containsExactly("operator_added", "operator_disabled");
        List<AuditEntry> theirs =
                database.read(
                        s ->
                                directory
                                        .audit()
                                        .newest(
                                                s,
                                                Actor.local(new OrgId("acme")).principal(),
                                                AuditFilter.ALL,
                                                Optional.empty(),
                                                10));
        assertThat(theirs).isEmpty();
    }

    @Test
    void keys_expire_and_are_revoked() {
        ApiKeyStore.IssuedKey week = issue(Optional.of(Duration.ofDays(7)));
        ApiKeyStore.IssuedKey always = issue(Optional.empty());
        assertThat(isUsable(week) && isUsable(always)).isTrue();
        clock.advance(Duration.ofDays(8));
        assertThat(isUsable(week)).isFalse();
        assertThat(isUsable(always)).isTrue();
        assertThat(isRevoked(Actor.local(new OrgId("acme")), always)).isFalse();
        assertThat(isRevoked(LOCAL, always)).isTrue();
        assertThat(isUsable(always)).isFalse();
    }

    @Test
    void a_key_file_that_is_gone_is_missed_where_others_may_have_it() throws IOException {
        close();
        Files.delete(folder.resolve("hub.key"));
        if (kind == TestDatabase.POSTGRES) {
            assertThatThrownBy(this::start)
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.HOST_KEY_MISSING));
            database = Databases.open(url, clock);
        } else {
            start();
        }
    }

    @Test
    void another_orgs_ids_are_answered_like_nonsense() {
        Actor theirs = Actor.local(new OrgId("acme"));
        database.write(
                tx ->
                        tx.update(
                                "INSERT INTO orgs VALUES ('acme', 'acme',"
                                        + " '2027-01-01T00:00:00Z')"));
        String ourHost = enrolled(LOCAL);
        String theirHost = enrolled(theirs);
        var admin = directory.operatorService().add(LOCAL, "ada", Role.ADMIN).operator();
        var isolation =
                new RouteIsolation(directory.routes())
                        .ids("org", "default", "acme")
                        .ids("host", ourHost, theirHost)
                        .ids(
                                "operator",
                                admin.id(),
                                directory
                                        .operatorService()
                                        .add(theirs, "eve", Role.ADMIN)
                                        .operator()
                                        .id())
                        // Those of people who signed in: RouteIsolationTest and PeopleTest.
                        .ids("signin", "01SIGNINOFOURS", "01SIGNINOFTHEIRS")
                        .ids("provider", "ours", "theirs")
                        .ids("key", issue(Optional.empty()).id(), issue(theirs).id());
        assertThat(isolation.findings(admin.principal())).isEmpty();
        assertThat(new RouteIsolation(directory.routes()).findings(admin.principal()))
                .anyMatch(finding -> finding.contains("no id of another org"));
    }

    private String enrolled(Actor actor) {
        String id = ids.next();
        directory
                .acceptor()
                .enrolment()
                .enrol(
                        claim(id, SigningKey.generate(random)),
                        new Ticket.AccessKey(issue(actor).secret()),
                        "t");
        return id;
    }

    private ApiKeyStore.IssuedKey issue(Actor actor) {
        var newApiKey =
                new ApiKeyStore.NewApiKey(
                        ApiKeyKind.ACCESS_KEY, "", Optional.empty(), Optional.empty());
        return database.write(tx -> directory.keys().issue(tx, actor, newApiKey));
    }

    private ApiKeyStore.IssuedKey issue(Optional<Duration> life) {
        var newApiKey =
                new ApiKeyStore.NewApiKey(
                        ApiKeyKind.ACCESS_KEY,
                        "for tests",
                        Optional.empty(),
                        life.map(d -> clock.instant().plus(d)));
        return database.write(tx -> directory.keys().issue(tx, LOCAL, newApiKey));
    }

    private boolean isRevoked(Actor by, ApiKeyStore.IssuedKey key) {
        return database.write(t -> directory.keys().revoke(t, by, key.id()));
    }

    private boolean isUsable(ApiKeyStore.IssuedKey key) {
        return database.read(s -> directory.keys().usable(s, ApiKeyKind.ACCESS_KEY, key.secret()))
                .isPresent();
    }

    private String joinKey() {
        return issue(Optional.empty()).secret();
    }

    private List<AuditEntry> entries(AuditFilter filter) {
        return database.read(
                s -> directory.audit().newest(s, LOCAL.principal(), filter, Optional.empty(), 100));
    }

    private static AuditFilter filter(Optional<String> action) {
        return new AuditFilter(
                Optional.empty(), action, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private HostClaim claim(String hostId, SigningKey key) {
        LinkStatement statement =
                new LinkStatement(
                        Purpose.ENROL,
                        directory.host().id().value(),
                        directory.acceptor().challenges().next(),
                        hostId,
                        key.open().toString(),
                        "here",
                        clock.instant());
        return new HostClaim(
                statement,
                "host",
                Base64.getUrlEncoder().encodeToString(key.sign(statement.bytes())));
    }
}
