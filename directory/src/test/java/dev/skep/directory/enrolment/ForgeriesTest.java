package dev.skep.directory.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.skep.directory.DirectoryTestHub;
import dev.skep.directory.TestProcess;
import dev.skep.directory.host.HostKey;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LinkStatement;
import dev.skep.directory.host.LinkStatement.Purpose;
import dev.skep.directory.secret.EdDsaJwt;
import dev.skep.directory.secret.SigningKey;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForgeriesTest {
    @TempDir Path folder;
    private DirectoryTestHub hub;
    private TestProcess runner;
    private String good = "";

    @BeforeEach
    void start() {
        hub = new DirectoryTestHub(folder.resolve("hub"));
        runner = new TestProcess(folder.resolve("runner"), HostKind.RUNNER, "east-1");
        good = hub.session(runner.host, Optional.of(DirectoryTestHub.SHARED_KEY)).token().text();
    }

    @AfterEach
    void close() {
        runner.close();
        hub.close();
    }

    @Test
    void the_token_that_was_given_is_accepted_over_http() {
        assertThat(hub.as(good).get("/api/session").fields().text("who"))
                .isEqualTo("host:" + runner.host.id());
    }

    @Test
    void a_token_without_a_signature_is_refused() {
        String[] parts = good.split("\\.", -1);
        String none = base64("{\"alg\":\"none\",\"typ\":\"skep-link+jwt\"}");
        invalid(none + "." + parts[1] + ".");
        invalid(none + "." + parts[1] + "." + parts[2]);
        invalid(parts[0] + "." + parts[1] + ".");
    }

    @Test
    void a_token_signed_with_the_public_key_as_a_shared_secret_is_refused() {
        String[] parts = good.split("\\.", -1);
        invalid(
                base64("{\"alg\":\"HS256\",\"typ\":\"skep-link+jwt\"}")
                        + "."
                        + parts[1]
                        + "."
                        + parts[2]);
    }

    @Test
    void a_token_signed_by_another_key_is_refused() {
        SigningKey other = SigningKey.generate(new SecureRandom());
        invalid(signed(hub.process.host.id().value(), LinkTokens.TYPE, other));
        invalid(
                signed(
                        hub.process.host.id().value(),
                        LinkTokens.TYPE,
                        runner.host.keys().newest().pair()));
    }

    @Test
    void a_token_for_another_hub_or_another_purpose_is_refused_even_if_we_signed_it() {
        SigningKey ours = hub.process.host.keys().newest().pair();
        invalid(signed("01J0000000000000000000ABCD", LinkTokens.TYPE, ours));
        invalid(signed(hub.process.host.id().value(), "other+jwt", ours));
    }

    @Test
    void a_changed_claim_is_refused() {
        String[] parts = good.split("\\.", -1);
        String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        String changed = claims.replace("\"org\":\"default\"", "\"org\":\"acme\"");
        assertThat(changed).isNotEqualTo(claims);
        invalid(parts[0] + "." + base64(changed) + "." + parts[2]);
    }

    @Test
    void an_expired_token_is_refused_whether_or_not_it_was_seen_before() {
        String unseen = hub.session(runner.host, Optional.empty()).token().text();
        verify(good);
        hub.process.clock.advance(LinkTokens.LIFE);
        refused(ErrorCode.TOKEN_EXPIRED, () -> verify(good));
        refused(ErrorCode.TOKEN_EXPIRED, () -> verify(unseen));
    }

    @Test
    void a_replayed_challenge_is_refused() {
        Map<String, Object> answer =
                answer(challenge(), runner.host.keys().newest(), hub.process.host.id().value());
        hub.nobody().post("/api/link/token", answer);
        refused(ErrorCode.CHALLENGE_USED, () -> hub.nobody().post("/api/link/token", answer));
    }

    @Test
    void a_challenge_of_another_hub_an_old_one_and_an_invented_one_are_refused() {
        HostKey key = runner.host.keys().newest();
        String self = hub.process.host.id().value();
        String old = challenge();
        hub.process.clock.advance(ChallengeIssuer.LIFE.plusSeconds(1));
        refused(ErrorCode.CHALLENGE_EXPIRED, () -> send(answer(old, key, self)));
        refused(ErrorCode.CHALLENGE_EXPIRED, () -> send(answer("invented", key, self)));
        String others = new ChallengeIssuer(hub.process.clock, new SecureRandom()).next();
        refused(ErrorCode.CHALLENGE_EXPIRED, () -> send(answer(others, key, self)));
    }

    @Test
    void an_answer_meant_for_another_hub_is_refused() {
        refused(
                ErrorCode.HUB_CHANGED,
                () ->
                        send(
                                answer(
                                        challenge(),
                                        runner.host.keys().newest(),
                                        "01J0000000000000000000ABCD")));
    }

    @Test
    void a_signature_for_something_else_is_refused() {
        Map<String, Object> answer =
                new HashMap<>(
                        answer(
                                challenge(),
                                runner.host.keys().newest(),
                                hub.process.host.id().value()));
        answer.put("place", "elsewhere");
        refused(ErrorCode.WRONG_SIGNATURE, () -> send(answer));
    }

    @Test
    void an_address_that_guesses_is_slowed_down() {
        for (int i = 0; i < 60; i++) {
            refused(ErrorCode.CHALLENGE_EXPIRED, this::guess);
        }
        refused(ErrorCode.TOO_MANY_REQUESTS, this::guess);
    }

    @Test
    void an_enrolled_key_gets_its_token_however_many_wrong_ones_come_from_its_address() {
        for (int i = 0; i < 70; i++) {
            assertThatThrownBy(this::guess).isInstanceOf(SkepException.class);
        }
        refused(ErrorCode.TOO_MANY_REQUESTS, this::guess);
        verify(hub.session(runner.host, Optional.empty()).token().text());
        try (var other = new TestProcess(folder.resolve("new"), HostKind.RUNNER, "west-1")) {
            // A key that somebody made up can be guessed, so nobody tries another one now.
            refused(
                    ErrorCode.TOO_MANY_REQUESTS,
                    () ->
                            hub.session(other.host, Optional.of(DirectoryTestHub.SHARED_KEY))
                                    .token());
            refused(
                    ErrorCode.TOO_MANY_REQUESTS,
                    () -> hub.session(other.host, Optional.empty()).enrol("0".repeat(16)));
            hub.session(other.host, Optional.empty()).enrol(hub.pairingCode());
            verify(hub.session(other.host, Optional.empty()).token().text());
        }
    }

    @Test
    void a_host_that_is_here_and_one_that_is_not_are_answered_alike() {
        try (var other = new TestProcess(folder.resolve("new"), HostKind.RUNNER, "west-1")) {
            HostKey own = other.host.keys().newest();
            String here = runner.host.id().value();
            String nowhere = other.host.id().value();
            assertThat(refusal(here, own).replace(here, "ID"))
                    .isEqualTo(refusal(nowhere, own).replace(nowhere, "ID"))
                    .startsWith("NOT_ENROLLED");
            hub.directory.acceptor().hosts().revoke(hub.local("default"), "east-1");
            assertThat(refusal(here, own).replace(here, "ID"))
                    .isEqualTo(refusal(nowhere, own).replace(nowhere, "ID"));
            // Its own key may know.
            assertThat(refusal(here, runner.host.keys().newest())).startsWith("HOST_REVOKED");
        }
    }

    /** What somebody is told who signs with a key for a host id. */
    private String refusal(String host, HostKey key) {
        String hubId = hub.process.host.id().value();
        try {
            send(answer(challenge(), host, key, hubId));
            return "let in";
        } catch (SkepException refused) {
            return refused.code() + " " + refused.getMessage();
        }
    }

    @Test
    void a_malformed_host_id_is_named_in_the_error() {
        HostKey key = runner.host.keys().newest();
        for (String id : new String[] {"", " ", "x".repeat(5_000)}) {
            Map<String, Object> answer =
                    new HashMap<>(answer(challenge(), key, hub.process.host.id().value()));
            answer.put("hostId", id);
            answer.put("code", "x");
            for (String path :
                    new String[] {"/api/link/token", "/api/link/enrol", "/api/link/rotate"}) {
                refused(ErrorCode.BAD_REQUEST, () -> hub.nobody().post(path, answer));
            }
        }
        refused(
                ErrorCode.BAD_REQUEST,
                () ->
                        hub.nobody()
                                .post(
                                        "/api/session",
                                        Map.of("org", "", "username", "a", "password", "b")));
    }

    private void guess() {
        send(answer("invented", runner.host.keys().newest(), hub.process.host.id().value()));
    }

    private void send(Map<String, Object> answer) {
        hub.nobody().post("/api/link/token", answer);
    }

    private String challenge() {
        return hub.nobody().post("/api/link/challenge", Map.of()).fields().text("nonce");
    }

    private Map<String, Object> answer(String nonce, HostKey key, String hubId) {
        return answer(nonce, runner.host.id().value(), key, hubId);
    }

    private Map<String, Object> answer(String nonce, String host, HostKey key, String hubId) {
        LinkStatement statement =
                new LinkStatement(
                        Purpose.TOKEN,
                        hubId,
                        nonce,
                        host,
                        key.publicKey(),
                        "here",
                        hub.process.clock.instant(),
                        Optional.of(hub.listener.url()));
        return Map.of(
                "hubId",
                hubId,
                "nonce",
                nonce,
                "hostId",
                statement.hostId(),
                "publicKey",
                statement.publicKey(),
                "place",
                "here",
                "at",
                statement.at().toString(),
                "address",
                hub.listener.url(),
                "signature",
                Base64.getUrlEncoder().encodeToString(key.sign(statement.bytes())));
    }

    private String signed(String hubId, String type, SigningKey key) {
        return new EdDsaJwt(type)
                .sign(
                        new JWTClaimsSet.Builder()
                                .issuer(hubId)
                                .audience(hubId)
                                .subject(runner.host.id().value())
                                .claim("org", "default")
                                .claim("agentKeyVersion", 1)
                                .claim("place", "here")
                                .claim("clockOff", 0)
                                .expirationTime(
                                        Date.from(
                                                hub.process
                                                        .clock
                                                        .instant()
                                                        .plus(Duration.ofMinutes(1))))
                                .build(),
                        key);
    }

    private void invalid(String token) {
        refused(ErrorCode.TOKEN_INVALID, () -> verify(token));
        refused(ErrorCode.TOKEN_INVALID, () -> hub.as(token).get("/api/session"));
    }

    private void verify(String token) {
        hub.directory.acceptor().tokens().verify(token);
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }

    private static String base64(String json) {
        assertThat(Json.tree(json.getBytes(StandardCharsets.UTF_8)).isObject()).isTrue();
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
