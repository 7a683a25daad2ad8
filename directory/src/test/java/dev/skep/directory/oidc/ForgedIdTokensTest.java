package dev.skep.directory.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.skep.directory.operator.Identity;
import dev.skep.directory.secret.OpenedOnce;
import dev.skep.directory.secret.PrivateFile;
import dev.skep.directory.secret.SealedSecrets;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.testkit.SettableClock;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.Request;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForgedIdTokensTest {
    private static final Instant NOW = Instant.parse("2026-11-19T12:00:00Z");

    @TempDir Path folder;
    private final SettableClock clock = new SettableClock(NOW);
    private final AtomicLong nanos = new AtomicLong(1);
    private FakeProvider provider;
    private ProviderSignIn signIn;
    private ProviderSignIn.StartedSignIn started;
    private Map<String, String> asked;

    @BeforeEach
    void start() throws Exception {
        provider = new FakeProvider();
        signIn = at(provider.issuer());
        started = signIn.start("fake", "http://here/sign-in");
        asked = query(started.url());
    }

    private ProviderSignIn at(String issuer) {
        Path file = folder.resolve("sign-in.json");
        new PrivateFile(file)
                .write(
                        Json.text(
                                Map.of(
                                        "providers",
                                        List.of(
                                                Map.of(
                                                        "id", "fake",
                                                        "issuer", issuer,
                                                        "clientId", "skep")))));
        SecureRandom random = new SecureRandom();
        Path key = folder.resolve("secrets.key");
        return new ProviderSignIn(
                file,
                new OpenedOnce<>(() -> SealedSecrets.open(key, random)),
                random,
                clock,
                clock,
                nanos::get);
    }

    private static Map<String, String> query(String url) {
        return Request.of(
                        HttpMethod.GET,
                        "/",
                        URI.create(url).getRawQuery(),
                        dev.skep.transport.route.Credentials.none(""),
                        new byte[0])
                .query();
    }

    @AfterEach
    void close() {
        signIn.close();
        provider.close();
    }

    private JWTClaimsSet.Builder right() {
        return new JWTClaimsSet.Builder()
                .issuer(provider.issuer())
                .audience("skep")
                .subject("account-1")
                .claim("nonce", asked.get("nonce"))
                .issueTime(Date.from(NOW))
                .expirationTime(Date.from(NOW.plusSeconds(60)));
    }

    private Identity finish(String idToken) {
        provider.idToken = idToken;
        return signIn.finish(started.flow(), asked.getOrDefault("state", ""), "a code");
    }

    private void refused(String idToken, String why) {
        assertThatThrownBy(() -> finish(idToken))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.IDENTITY_REFUSED))
                .hasMessageContaining(why);
    }

    @Test
    void a_right_one_is_taken_also_by_a_clock_that_is_minutes_off() throws Exception {
        assertThat(finish(provider.signed(right().build())).subject()).isEqualTo("account-1");
        clock.advance(Duration.ofMinutes(-4));
        assertThat(finish(provider.signed(right().build())).name()).isEqualTo("account-1");
    }

    @Test
    void one_without_a_signature_or_with_a_shared_or_a_foreign_key_is_refused() throws Exception {
        refused(new PlainJWT(right().build()).serialize(), "cannot be read");
        byte[] published = provider.key.toRSAPublicKey().getEncoded();
        refused(
                FakeProvider.signed(
                        right().build(), JWSAlgorithm.HS256, "one", new MACSigner(published)),
                "signed with HS256");
        refused(
                FakeProvider.signed(
                        right().build(),
                        JWSAlgorithm.RS256,
                        "one",
                        new RSASSASigner(new RSAKeyGenerator(2048).generate())),
                "no key");
    }

    @Test
    void one_of_another_issuer_client_sign_in_or_time_is_refused() throws Exception {
        refused(provider.signed(right().issuer("https://else.example").build()), "issuer");
        refused(provider.signed(right().audience("another").build()), "client");
        refused(provider.signed(right().audience(List.of("skep", "another")).build()), "client");
        refused(provider.signed(right().claim("azp", "another").build()), "client");
        refused(provider.signed(right().claim("nonce", "another").build()), "another sign-in");
        refused(provider.signed(right().claim("nonce", null).build()), "another sign-in");
        refused(provider.signed(right().subject(null).build()), "no account");
        clock.advance(Duration.ofMinutes(7));
        refused(provider.signed(right().build()), "clock");
    }

    @Test
    void keys_are_kept_and_an_unknown_one_makes_us_ask_only_now_and_then() throws Exception {
        finish(provider.signed(right().build()));
        finish(provider.signed(right().build()));
        assertThat(provider.keyFetches).hasValue(1);
        String unknown =
                FakeProvider.signed(
                        right().build(), JWSAlgorithm.RS256, "two", new RSASSASigner(provider.key));
        for (int i = 0; i < 5; i++) {
            refused(unknown, "no key");
        }
        assertThat(provider.keyFetches).hasValue(1);
        nanos.addAndGet(Duration.ofSeconds(11).toNanos());
        refused(unknown, "no key");
        refused(unknown, "no key");
        assertThat(provider.keyFetches).hasValue(2);
    }

    @Test
    void a_provider_leads_us_nowhere_else() {
        provider.metadata.put("jwks_uri", "http://127.0.0.1:1/keys");
        try (ProviderSignIn another = at(provider.issuer())) {
            assertThatThrownBy(() -> another.start("fake", "http://here/sign-in"))
                    .hasMessageContaining("not an https address");
        }
        provider.metadata.put("jwks_uri", provider.issuer() + "/keys");
        provider.metadata.put("issuer", "https://else.example");
        try (ProviderSignIn another = at(provider.issuer())) {
            assertThatThrownBy(() -> another.start("fake", "http://here/sign-in"))
                    .hasMessageContaining("its issuer is https://else.example");
        }
    }

    @Test
    void a_file_that_is_wrong_is_named_with_what_is_wrong_in_it() {
        assertThatThrownBy(() -> at("http://plain.example"))
                .hasMessageContaining("sign-in.json")
                .hasMessageContaining("'issuer' is http://plain.example; use the provider's https");
    }
}
