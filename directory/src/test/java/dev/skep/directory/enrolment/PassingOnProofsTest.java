package dev.skep.directory.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.directory.DirectoryTestHub;
import dev.skep.directory.TestProcess;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.link.HubSession;
import dev.skep.directory.link.HubUrl;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hub that says it is another one, and takes what a host signs to that one. */
class PassingOnProofsTest {
    private static final List<String> PROOF = List.of("hubKey", "ownAddress", "signature");

    @TempDir Path folder;
    private DirectoryTestHub hub;
    private RelayingHub relay;
    private TestProcess runner;

    @BeforeEach
    void start() {
        hub = new DirectoryTestHub(folder.resolve("hub"));
        relay = new RelayingHub(hub);
        runner = new TestProcess(folder.resolve("runner"), HostKind.RUNNER, "east-1");
    }

    @AfterEach
    void close() {
        runner.close();
        relay.close();
        hub.close();
    }

    @Test
    void a_host_signs_nothing_for_a_hub_it_knows_elsewhere() {
        hub.session(runner.host, Optional.empty()).enrol(hub.pairingCode());
        hub.session(runner.host, Optional.empty()).token();
        relay.enrols = true;

        refused(ErrorCode.HUB_NOT_PROVEN, () -> atRelay().enrol("a code of the relay's"));
        refused(ErrorCode.HUB_NOT_PROVEN, () -> atRelay(DirectoryTestHub.SHARED_KEY).token());

        assertThat(relay.signed).isEmpty();
        assertThat(relay.tokens).isEmpty();
    }

    @Test
    void nor_where_the_hub_is_said_to_know_the_address_or_to_be_an_early_one() {
        hub.session(runner.host, Optional.of(DirectoryTestHub.SHARED_KEY)).token();
        relay.enrols = true;
        for (UnaryOperator<Map<String, Object>> lie :
                List.<UnaryOperator<Map<String, Object>>>of(
                        with("ownAddress", true), PassingOnProofsTest::withoutProof)) {
            relay.toHost = lie;
            refused(ErrorCode.HUB_NOT_PROVEN, () -> atRelay(DirectoryTestHub.SHARED_KEY).token());
        }
        assertThat(relay.signed).isEmpty();
    }

    @Test
    void a_hub_that_was_joined_as_itself_cannot_become_another() {
        try (var own =
                new DirectoryTestHub(new TestProcess(folder.resolve("m"), HostKind.HUB, "m"))) {
            hub.session(runner.host, Optional.of(DirectoryTestHub.SHARED_KEY)).token();
            runner.host
                    .keys()
                    .joined(relay.url(), own.process.host.id().value(), 1, Consents.USUAL);
            refused(ErrorCode.HUB_NOT_PROVEN, () -> atRelay().token());
            refused(ErrorCode.HUB_NOT_PROVEN, () -> atRelay(DirectoryTestHub.SHARED_KEY).token());
            assertThat(relay.tokens).isEmpty();
        }
    }

    @Test
    void what_a_host_signs_elsewhere_for_a_hub_it_has_forgotten_is_refused_there() {
        hub.session(runner.host, Optional.of(DirectoryTestHub.SHARED_KEY)).token();
        runner.host.keys().left(hub.listener.url());
        relay.enrols = true;

        refused(
                ErrorCode.HOST_NOT_ALLOWED,
                () -> {
                    atRelay().enrol("a code of the relay's");
                    atRelay().token();
                });
        relay.toHub = with("address", hub.listener.url());
        refused(ErrorCode.WRONG_SIGNATURE, () -> atRelay().token());
        relay.toHub = UnaryOperator.identity();
        relay.toHost = PassingOnProofsTest::withoutProof;
        refused(ErrorCode.WRONG_SIGNATURE, () -> atRelay().token());

        assertThat(relay.signed).hasSizeGreaterThanOrEqualTo(3);
        assertThat(relay.tokens).isEmpty();
    }

    @Test
    void an_access_key_adds_no_address_to_a_host_that_is_there() {
        hub.session(runner.host, Optional.of(DirectoryTestHub.SHARED_KEY)).token();
        runner.host.keys().left(hub.listener.url());
        refused(ErrorCode.HOST_NOT_ALLOWED, () -> atRelay(DirectoryTestHub.SHARED_KEY).token());
    }

    @Test
    void a_challenge_cannot_hold_the_text_of_another_statement() {
        hub.session(runner.host, Optional.of(DirectoryTestHub.SHARED_KEY)).token();
        relay.enrols = true;
        relay.toHost =
                answer ->
                        with(
                                        "hubId",
                                        String.join(
                                                "\n",
                                                String.valueOf(answer.get("hubId")),
                                                String.valueOf(answer.get("nonce")),
                                                runner.host.id().value(),
                                                runner.host.keys().newest().publicKey()))
                                .apply(withoutProof(answer));
        refused(ErrorCode.BAD_REQUEST, () -> atRelay().enrol("a code of the relay's"));
        assertThat(relay.signed).isEmpty();

        Map<String, Object> answer = new HashMap<>();
        for (String field :
                List.of("hubId", "nonce", "publicKey", "place", "signature", "address")) {
            answer.put(field, "x");
        }
        answer.put("hostId", runner.host.id().value());
        answer.put("at", hub.process.clock.instant().toString());
        answer.put("place", "n\nh\np\nplace");
        refused(ErrorCode.BAD_REQUEST, () -> hub.nobody().post("/api/link/token", answer));
    }

    @Test
    void one_hub_is_joined_by_each_of_its_addresses() {
        String other = hub.listener.url().replace("127.0.0.1", "localhost");
        hub.session(runner.host, Optional.of(DirectoryTestHub.SHARED_KEY)).token();
        HubSession session = session(other, Optional.of(DirectoryTestHub.SHARED_KEY));
        assertThat(session.token().hubId()).isEqualTo(hub.process.host.id().value());
        assertThat(session.token().hubId()).isEqualTo(hub.process.host.id().value());
        assertThat(runner.host.keys().hubs()).hasSize(2);
    }

    @Test
    void a_hub_behind_a_forwarded_port_is_joined_there_and_at_its_own_address() {
        atRelay().enrol(hub.pairingCode());
        atRelay().token();
        refused(
                ErrorCode.HUB_NOT_PROVEN,
                () -> {
                    try (var second = new RelayingHub(hub)) {
                        session(second.url(), Optional.of(DirectoryTestHub.SHARED_KEY)).token();
                    }
                });
        hub.session(runner.host, Optional.of(DirectoryTestHub.SHARED_KEY)).token();
        atRelay().token();
        assertThat(relay.tokens).hasSize(2);
    }

    @Test
    void a_host_of_an_earlier_version_gets_in_until_it_has_signed_an_address() {
        relay.toHost = PassingOnProofsTest::withoutProof;
        atRelay(DirectoryTestHub.SHARED_KEY).token();
        atRelay().token();
        assertThat(relay.signed).allSatisfy(body -> assertThat(body).doesNotContainKey("address"));

        relay.toHost = UnaryOperator.identity();
        atRelay().token();
        relay.toHost = PassingOnProofsTest::withoutProof;
        refused(ErrorCode.WRONG_SIGNATURE, () -> atRelay().token());
        atRelay().enrol(hub.pairingCode());
        atRelay().token();
    }

    @Test
    void a_hub_that_got_another_key_is_believed_at_its_address_and_nowhere_else() {
        hub.session(runner.host, Optional.of(DirectoryTestHub.SHARED_KEY)).token();
        hub.process.host.rotateKey();
        String other = hub.listener.url().replace("127.0.0.1", "localhost");
        refused(
                ErrorCode.HUB_NOT_PROVEN,
                () -> session(other, Optional.of(DirectoryTestHub.SHARED_KEY)).token());
        hub.session(runner.host, Optional.empty()).token();
        session(other, Optional.of(DirectoryTestHub.SHARED_KEY)).token();
        // The key file says so after a restart too.
        runner.close();
        runner = new TestProcess(folder.resolve("runner"), HostKind.RUNNER, "east-1");
        assertThat(runner.host.keys().hubs())
                .hasSize(2)
                .allSatisfy(
                        joined ->
                                assertThat(joined.hubKey())
                                        .contains(hub.process.host.keys().newest().publicKey()));
    }

    private HubSession atRelay() {
        return session(relay.url(), Optional.empty());
    }

    private HubSession atRelay(String accessKey) {
        return session(relay.url(), Optional.of(accessKey));
    }

    private HubSession session(String url, Optional<String> accessKey) {
        return new HubSession(
                runner.host,
                HubUrl.of(url, false),
                accessKey,
                Consents.USUAL,
                hub.client,
                hub.process.clock);
    }

    private static Map<String, Object> withoutProof(Map<String, Object> answer) {
        Map<String, Object> changed = new HashMap<>(answer);
        PROOF.forEach(changed::remove);
        return changed;
    }

    private static UnaryOperator<Map<String, Object>> with(String field, Object value) {
        return answer -> {
            Map<String, Object> changed = new HashMap<>(answer);
            changed.put(field, value);
            return changed;
        };
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }
}
