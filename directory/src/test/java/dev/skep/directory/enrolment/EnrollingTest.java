package dev.skep.directory.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.directory.DirectoryTestHub;
import dev.skep.directory.TestProcess;
import dev.skep.directory.host.HostKeyFile;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.JoinedHub;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.link.HubSession;
import dev.skep.directory.link.HubUrl;
import dev.skep.directory.link.LinkToken;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.identity.Principal;
import dev.skep.testkit.SettableClock;
import dev.skep.transport.route.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnrollingTest {
    private static final Optional<String> NO_KEY = Optional.empty();
    private static final Optional<String> SHARED = Optional.of(DirectoryTestHub.SHARED_KEY);

    @TempDir Path folder;
    private DirectoryTestHub hub;
    private TestProcess runner;

    @BeforeEach
    void start() {
        hub = new DirectoryTestHub(folder.resolve("hub"));
        runner = new TestProcess(folder.resolve("runner"), HostKind.RUNNER, "east-1");
    }

    @AfterEach
    void close() {
        runner.close();
        hub.close();
    }

    @Test
    void a_pairing_code_lets_one_machine_in() {
        List<FleetEvent> events = new ArrayList<>();
        hub.eventBus.subscribe(events::add);
        hub.session(runner.host, NO_KEY).enrol(hub.pairingCode());

        LinkClaims claims = verified(hub.session(runner.host, NO_KEY).token());

        assertThat(claims.host()).isEqualTo(runner.host.id());
        assertThat(claims.org().value()).isEqualTo("default");
        assertThat(claims.agentKeyVersion()).isEqualTo(1);
        assertThat(claims.place()).isEqualTo(runner.host.machine().place());
        assertThat(events)
                .anyMatch(
                        e ->
                                e instanceof FleetEvent.HostEnrolled enrolled
                                        && enrolled.host().equals(runner.host.id()));
        assertThat(
                        hub.admin()
                                .get("/api/orgs/default/audit?action=host_enrolled")
                                .fields()
                                .list("entries"))
                .hasSize(1);
    }

    @Test
    void hosts_enrolled_before_they_were_asked_keep_what_they_were_set_up_for() throws Exception {
        hub.session(runner.host, NO_KEY).enrol(hub.pairingCode());
        String url = hub.listener.url();
        assertThat(runner.host.keys().allows(url)).isEqualTo(Consents.USUAL);

        assertThat(asBeforeConsents("plain", url, "")).isEqualTo(Consents.USUAL);
        assertThat(asBeforeConsents("jobs", url, "allowed-commands"))
                .isEqualTo(Consents.USUAL.and(Consent.JOBS));
        // What was decided is written down: a list made later changes nothing.
        Files.writeString(folder.resolve("plain/allowed-commands"), "*");
        try (var again = new TestProcess(folder.resolve("plain"), HostKind.RUNNER, "east-1")) {
            assertThat(again.host.keys().allows(url)).isEqualTo(Consents.USUAL);
            again.host.keys().allow(url, Consents.NONE);
        }
        try (var again = new TestProcess(folder.resolve("plain"), HostKind.RUNNER, "east-1")) {
            assertThat(again.host.keys().allows(url)).isEqualTo(Consents.NONE);
            assertThat(again.host.keys().allows("https://elsewhere")).isEqualTo(Consents.NONE);
        }
    }

    /** A data dir whose key file was written by a version that did not ask. */
    private Consents asBeforeConsents(String name, String url, String file) throws IOException {
        Path dataDir = Files.createDirectories(folder.resolve(name));
        HostKeyFile key = HostKeyFile.in(dataDir, HostKind.RUNNER);
        key.write(
                new HostKeyFile.Content(
                        runner.host.id(),
                        runner.host.keys().all(),
                        List.of(new JoinedHub(url, "hub", 1, Optional.empty()))));
        assertThat(Files.readString(key.path())).contains("hub " + url + " hub 1\n");
        if (!file.isEmpty()) {
            Files.writeString(dataDir.resolve(file), "*");
        }
        try (var updated = new TestProcess(dataDir, HostKind.RUNNER, "east-1")) {
            return updated.host.keys().allows(url);
        }
    }

    @Test
    void the_shared_key_enrols_by_itself_when_a_token_is_needed() {
        assertThat(verified(hub.session(runner.host, SHARED).token()).host())
                .isEqualTo(runner.host.id());
    }

    @Test
    void an_orgs_own_access_key_enrols_into_that_org() {
        hub.admin().post("/api/orgs", Map.of("id", "acme"));
        String key =
                hub.admin()
                        .post("/api/orgs/acme/keys", Map.of("kind", "join"))
                        .fields()
                        .text("secret");
        assertThat(verified(hub.session(runner.host, Optional.of(key)).token()).org().value())
                .isEqualTo("acme");
    }

    @Test
    void without_code_or_key_the_error_says_how_to_enrol() {
        refused(
                ErrorCode.NOT_ENROLLED,
                "skep enrol",
                () -> hub.session(runner.host, NO_KEY).token());
    }

    @Test
    void a_wrong_key_an_unknown_a_used_and_an_old_code_are_told_apart() {
        refused(
                ErrorCode.WRONG_ACCESS_KEY,
                "HUB_ACCESS_KEY",
                () -> hub.session(runner.host, Optional.of("not-the-key")).token());
        refused(
                ErrorCode.PAIRING_CODE_UNKNOWN,
                "skep hosts pair",
                () -> hub.session(runner.host, NO_KEY).enrol("AAAA-BBBB-CCCC-DDDD"));
        String old = hub.pairingCode();
        hub.process.clock.advance(Duration.ofMinutes(11));
        refused(
                ErrorCode.PAIRING_CODE_EXPIRED,
                "skep hosts pair",
                () -> hub.session(runner.host, NO_KEY).enrol(old));
    }

    @Test
    void a_stolen_code_is_worth_nothing_once_used() {
        String code = hub.pairingCode();
        hub.session(runner.host, NO_KEY).enrol(code);
        // Its own host may repeat it: the first answer may have been lost.
        hub.session(runner.host, NO_KEY).enrol(code);
        try (var thief = new TestProcess(folder.resolve("thief"), HostKind.RUNNER, "thief")) {
            refused(
                    ErrorCode.PAIRING_CODE_USED,
                    "skep hosts pair",
                    () -> hub.session(thief.host, NO_KEY).enrol(code));
        }
    }

    @Test
    void a_key_holder_cannot_take_a_host_id_that_another_key_has() throws IOException {
        hub.session(runner.host, SHARED).token();
        LocalHost forged = sameIdOtherKey();
        refused(
                ErrorCode.HOST_KEY_CHANGED,
                "skep hosts pair --replace",
                () -> hub.session(forged, SHARED).token());
    }

    @Test
    void an_admins_code_for_that_host_lets_it_bring_a_new_key() throws IOException {
        hub.session(runner.host, SHARED).token();
        LocalHost reborn = sameIdOtherKey();
        String code =
                hub.directory
                        .acceptor()
                        .hosts()
                        .pair(hub.local("default"), Optional.of(reborn.id().value()))
                        .code();
        hub.session(reborn, NO_KEY).enrol(code);
        assertThat(verified(hub.session(reborn, NO_KEY).token()).agentKeyVersion()).isEqualTo(2);
        refused(ErrorCode.HOST_KEY_CHANGED, "", () -> hub.session(runner.host, NO_KEY).token());
    }

    @Test
    void a_revoked_host_is_out_at_once_and_its_links_are_closed() {
        LinkToken token = hub.session(runner.host, SHARED).token();
        verified(token);
        List<FleetEvent> events = new ArrayList<>();
        hub.eventBus.subscribe(events::add);

        hub.directory.acceptor().hosts().revoke(hub.local("default"), "east-1");

        assertThat(events).singleElement().isInstanceOf(FleetEvent.HostRevoked.class);
        refused(ErrorCode.HOST_REVOKED, "skep hosts pair --replace", () -> verified(token));
        refused(ErrorCode.HOST_REVOKED, "", () -> hub.session(runner.host, SHARED).token());
    }

    @Test
    void a_rotation_accepts_both_versions_for_a_day() {
        LinkToken before = hub.session(runner.host, SHARED).token();
        runner.host.rotateKey();
        LinkToken after = hub.session(runner.host, NO_KEY).token();

        assertThat(verified(before).agentKeyVersion()).isEqualTo(1);
        assertThat(verified(after).agentKeyVersion()).isEqualTo(2);
        assertThat(runner.host.keys().all()).hasSize(1);
        hub.process.clock.advance(Duration.ofDays(2));
        LinkToken later = hub.session(runner.host, NO_KEY).token();
        assertThat(verified(later).agentKeyVersion()).isEqualTo(2);
    }

    @Test
    void a_hub_that_was_away_learns_the_new_key_from_the_old_one() {
        try (var other =
                new DirectoryTestHub(
                        new TestProcess(folder.resolve("hub2"), HostKind.HUB, "hub2"))) {
            hub.session(runner.host, SHARED).token();
            other.session(runner.host, SHARED).token();
            runner.host.rotateKey();
            hub.session(runner.host, NO_KEY).token();
            assertThat(runner.host.keys().all()).hasSize(2);
            other.session(runner.host, NO_KEY).token();
            assertThat(runner.host.keys().all()).hasSize(1);
        }
    }

    @Test
    void an_admin_can_ask_a_host_for_a_new_key() {
        hub.session(runner.host, SHARED).token();
        hub.admin().post("/api/orgs/default/enrolments/east-1/rotate", Map.of());
        assertThat(verified(hub.session(runner.host, NO_KEY).token()).agentKeyVersion())
                .isEqualTo(2);
        assertThat(verified(hub.session(runner.host, NO_KEY).token()).agentKeyVersion())
                .isEqualTo(2);
    }

    @Test
    void a_clock_that_is_far_off_is_reported_before_and_after_enrolling() {
        SettableClock wrong =
                new SettableClock(hub.process.clock.instant().plus(Duration.ofHours(2)));
        try (var late = new TestProcess(folder.resolve("late"), HostKind.RUNNER, "late", wrong)) {
            var session =
                    new HubSession(
                            late.host,
                            HubUrl.of(hub.listener.url(), false),
                            SHARED,
                            Consents.USUAL,
                            hub.client,
                            wrong);
            refused(ErrorCode.CLOCK_OFF, "set the clock", session::token);
            wrong.advance(Duration.ofHours(-2));
            session.token();
            wrong.advance(Duration.ofHours(3));
            assertThat(verified(session.token()).clockOff()).isEqualTo(Duration.ofHours(3));
        }
    }

    @Test
    void a_wiped_hub_is_enrolled_with_again_only_by_key() {
        hub.session(runner.host, SHARED).token();
        try (var wiped =
                new DirectoryTestHub(
                        new TestProcess(folder.resolve("wiped"), HostKind.HUB, "hub"))) {
            // The same address with another hub behind it.
            runner.host
                    .keys()
                    .joined(wiped.listener.url(), hub.process.host.id().value(), 1, Consents.USUAL);
            refused(
                    ErrorCode.HUB_CHANGED,
                    "skep enrol",
                    () -> wiped.session(runner.host, NO_KEY).token());
            assertThat(wiped.session(runner.host, SHARED).token().hubId())
                    .isEqualTo(wiped.process.host.id().value());
        }
    }

    @Test
    void two_live_machines_with_one_host_id_are_refused() {
        LinkClaims here = verified(hub.session(runner.host, SHARED).token());
        LinkClaims there = copyOf(here);
        ConnectedHosts connectedHosts = hub.directory.acceptor().links();
        List<String> closed = new ArrayList<>();
        ConnectedHosts.Lease first = connectedHosts.claim(here, () -> closed.add("first"));
        refused(
                ErrorCode.DUPLICATE_HOST,
                "runner.key",
                () -> connectedHosts.claim(there, () -> {}));
        ConnectedHosts.Lease second = connectedHosts.claim(here, () -> closed.add("second"));
        assertThat(closed).containsExactly("first");
        // The replaced link's late close must not remove the new one.
        first.close();
        assertThat(connectedHosts.isLive(here.host())).isTrue();
        second.close();
        connectedHosts.claim(there, () -> {}).close();
    }

    @Test
    void a_copy_of_a_linked_host_is_refused_without_a_link_too() {
        LinkToken token = hub.session(runner.host, SHARED).token();
        LinkClaims here = verified(token);
        LinkClaims there = copyOf(here);
        ConnectedHosts connectedHosts = hub.directory.acceptor().links();

        ConnectedHosts.Lease others = connectedHosts.claim(there, () -> {});
        refused(ErrorCode.DUPLICATE_HOST, "runner.key", () -> asked(token));
        others.close();
        assertThat(asked(token)).contains(here.principal());
        try (var _ = connectedHosts.claim(here, () -> {})) {
            assertThat(asked(token)).contains(here.principal());
        }
    }

    private static LinkClaims copyOf(LinkClaims claims) {
        return new LinkClaims(
                claims.org(),
                claims.host(),
                1,
                "another-machine",
                Duration.ZERO,
                claims.expiresAt());
    }

    private Optional<Principal> asked(LinkToken token) {
        return hub.directory
                .authentication(Optional.empty())
                .principalOf(
                        new Credentials(
                                Optional.of(token.text()), Optional.empty(), "192.0.2.1", false));
    }

    private LinkClaims verified(LinkToken token) {
        return hub.directory.acceptor().tokens().verify(token.text());
    }

    /** A host that knows the runner's id, but not its key. */
    private LocalHost sameIdOtherKey() throws IOException {
        Path copy = folder.resolve("copy");
        Files.createDirectories(copy);
        runner.close();
        Files.copy(folder.resolve("runner/runner.db"), copy.resolve("runner.db"));
        runner = new TestProcess(folder.resolve("runner"), HostKind.RUNNER, "east-1");
        try (var process = new TestProcess(copy, HostKind.RUNNER, "east-1")) {
            assertThat(process.host.id()).isEqualTo(runner.host.id());
            return process.host;
        }
    }

    private static void refused(ErrorCode code, String fix, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> {
                            assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
                            assertThat(e.getMessage()).contains(fix);
                        });
    }
}
