package dev.skep.directory.oidc;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.skep.directory.operator.Identity;
import dev.skep.directory.secret.SealedSecrets;
import dev.skep.directory.secret.SecretDigest;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Starts sign-ins at the configured providers and finishes them. Thread-safe. */
public final class ProviderSignIn implements AutoCloseable {
    private static final Duration FLOW = Duration.ofMinutes(10);
    private static final String SEALED_FOR = "sign-in at a provider";
    private static final int LONGEST_GROUPS = 2_000;

    private final Map<String, Party> parties = new LinkedHashMap<>();
    private final Supplier<SealedSecrets> secrets;
    private final SecretGenerator secretGenerator;
    private final InstantSource steady;
    private final HttpClient http = HttpApiClient.newClient();

    private record Party(
            IdentityProvider provider, IdentityProviderClient client, IdTokenVerifier idTokens) {}

    /**
     * With the providers of a file, which is read now.
     *
     * @param secrets what a started sign-in is encrypted with
     * @param clock the wall clock, which tokens are dated by
     */
    public ProviderSignIn(
            Path file,
            Supplier<SealedSecrets> secrets,
            SecureRandom random,
            InstantSource clock,
            InstantSource steady,
            LongSupplier nanoTime) {
        this.secrets = secrets;
        this.secretGenerator = new SecretGenerator(random);
        this.steady = steady;
        for (IdentityProvider provider : IdentityProviders.read(file)) {
            IdentityProviderClient client = new IdentityProviderClient(provider, http, nanoTime);
            parties.put(
                    provider.id(),
                    new Party(provider, client, new IdTokenVerifier(provider, client, clock)));
        }
    }

    /** A provider as the sign-in page offers it. */
    public record OfferedProvider(String id, String name) {}

    public List<OfferedProvider> offered() {
        return parties.values().stream()
                .map(party -> new OfferedProvider(party.provider().id(), party.provider().name()))
                .toList();
    }

    /**
     * A sign-in that goes on at the provider.
     *
     * @param url where the browser goes
     * @param flow what the browser's tab keeps and gives back; it cannot read it
     */
    public record StartedSignIn(String url, String flow) {}

    /** Starts a sign-in that comes back to this address. */
    public StartedSignIn start(String id, String redirect) {
        Party party = party(id);
        String state = secretGenerator.text();
        String nonce = secretGenerator.text();
        String verifier = secretGenerator.text();
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", party.provider().clientId());
        query.put("redirect_uri", redirect);
        List<String> scopes = new ArrayList<>(List.of("openid", "profile"));
        scopes.addAll(party.provider().scopes());
        query.put("scope", String.join(" ", scopes));
        query.put("state", state);
        query.put("nonce", nonce);
        query.put("code_challenge", challenge(verifier));
        query.put("code_challenge_method", "S256");
        String authorize = party.client().metadata().authorize().toString();
        String url =
                authorize
                        + (authorize.contains("?") ? "&" : "?")
                        + query.entrySet().stream()
                                .map(e -> e.getKey() + "=" + encoded(e.getValue()))
                                .collect(Collectors.joining("&"));
        String flow =
                Json.text(
                        Map.of(
                                "provider", id,
                                "state", state,
                                "nonce", nonce,
                                "verifier", verifier,
                                "redirect", redirect,
                                "until", steady.instant().plus(FLOW).toEpochMilli()));
        return new StartedSignIn(url, secrets.get().seal(flow, SEALED_FOR));
    }

    /** Finishes it: what the provider says about who signed in. */
    public Identity finish(String flow, String state, String code) {
        JsonFields begun = opened(flow);
        boolean isOver = !steady.instant().isBefore(Instant.ofEpochMilli(begun.number("until")));
        if (isOver || !SecretDigest.same(begun.text("state"), state)) {
            throw anotherFlow();
        }
        Party party = party(begun.text("provider"));
        JsonFields tokens =
                party.client().token(code, begun.text("verifier"), begun.text("redirect"));
        JWTClaimsSet claims =
                party.idTokens()
                        .verified(tokens.longText("id_token", 100_000), begun.text("nonce"));
        return identity(party, claims, tokens);
    }

    private JsonFields opened(String flow) {
        try {
            return Json.fields(secrets.get().open(flow, SEALED_FOR));
        } catch (SkepException | IllegalArgumentException e) {
            throw anotherFlow();
        }
    }

    private static SkepException anotherFlow() {
        return new SkepException(
                ErrorCode.SIGN_IN_LINK_INVALID,
                "this sign-in was not started in this tab or took too long; start again");
    }

    private static Identity identity(Party party, JWTClaimsSet claims, JsonFields tokens) {
        IdentityProvider provider = party.provider();
        Map<String, Object> all = claims.getClaims();
        Optional<JsonFields> more =
                all.containsKey(provider.groupsClaim()) && all.containsKey(provider.nameClaim())
                        ? Optional.empty()
                        : userInfo(party, claims, tokens);
        String name =
                text(claims, provider.nameClaim())
                        .or(() -> more.map(m -> m.shown(provider.nameClaim())))
                        .filter(text -> !text.isBlank())
                        .or(() -> text(claims, "email"))
                        .orElse(claims.getSubject());
        List<String> groups =
                all.containsKey(provider.groupsClaim())
                        ? groups(claims, provider.groupsClaim())
                        : more.map(m -> m.textList(provider.groupsClaim())).orElse(List.of());
        return new Identity(
                provider.id(),
                provider.issuer().toString(),
                claims.getSubject(),
                name,
                provider.rolesOf(groups.stream().limit(LONGEST_GROUPS).toList()));
    }

    /** Only of the same account: the answer is not signed. */
    private static Optional<JsonFields> userInfo(
            Party party, JWTClaimsSet claims, JsonFields tokens) {
        return tokens.has("access_token")
                ? party.client()
                        .userInfo(tokens.longText("access_token", 100_000))
                        .filter(found -> found.shown("sub").equals(claims.getSubject()))
                : Optional.empty();
    }

    private static Optional<String> text(JWTClaimsSet claims, String name) {
        try {
            return Optional.ofNullable(claims.getStringClaim(name));
        } catch (ParseException e) {
            return Optional.empty();
        }
    }

    private static List<String> groups(JWTClaimsSet claims, String name) {
        try {
            List<String> list = claims.getStringListClaim(name);
            return list == null ? List.of() : list;
        } catch (ParseException oneText) {
            return text(claims, name).map(List::of).orElse(List.of());
        }
    }

    /** Throws if no such provider is configured. */
    public void require(String id) {
        var _ = party(id);
    }

    private Party party(String id) {
        Party party = parties.get(id);
        if (party == null) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "there is no identity provider %s; the sign-in page lists them".formatted(id));
        }
        return party;
    }

    private static String challenge(String verifier) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        http.close();
    }
}
