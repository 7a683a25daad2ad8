package dev.skep.directory.oidc;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.BoundedExchange;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks one provider. Its metadata and keys are kept for an hour; keys are fetched earlier if a
 * token was signed with one that is not known, though not more often than every ten seconds, so
 * that nobody can make us ask without end. Follows no redirects. Thread-safe.
 */
final class IdentityProviderClient {
    private static final Duration KEPT = Duration.ofHours(1);
    private static final Duration NOT_SOONER = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long MOST_BYTES = 1 << 20;

    private final IdentityProvider provider;
    private final HttpClient client;
    private final LongSupplier nanoTime;
    private @Nullable Fetched<ProviderMetadata> metadata;
    private @Nullable Fetched<JWKSet> keys;
    private @Nullable Fetched<SkepException> failure;

    private record Fetched<T>(T value, long at) {}

    IdentityProviderClient(IdentityProvider provider, HttpClient client, LongSupplier nanoTime) {
        this.provider = provider;
        this.client = client;
        this.nanoTime = nanoTime;
    }

    synchronized ProviderMetadata metadata() {
        if (metadata == null || isOlder(metadata, KEPT)) {
            if (failure != null && !isOlder(failure, NOT_SOONER)) {
                throw failure.value();
            }
            try {
                metadata = fetched(ProviderMetadata.read(provider, get(wellKnown(), "")));
                failure = null;
            } catch (SkepException e) {
                failure = fetched(e);
                throw e;
            }
        }
        return metadata.value();
    }

    private URI wellKnown() {
        return URI.create(
                ProviderMetadata.withoutSlash(provider.issuer().toString())
                        + "/.well-known/openid-configuration");
    }

    /** The public keys that may have signed a token with this key id. */
    synchronized List<JWK> keysFor(@Nullable String keyId) {
        if (keys == null || isOlder(keys, KEPT)) {
            keys = fetched(fetchKeys());
        }
        List<JWK> fitting = fitting(keys.value(), keyId);
        if (fitting.isEmpty() && isOlder(keys, NOT_SOONER)) {
            keys = fetched(fetchKeys());
            fitting = fitting(keys.value(), keyId);
        }
        return fitting;
    }

    private static List<JWK> fitting(JWKSet keys, @Nullable String keyId) {
        return keys.getKeys().stream()
                .filter(key -> keyId == null || keyId.equals(key.getKeyID()))
                .toList();
    }

    private JWKSet fetchKeys() {
        try {
            return JWKSet.parse(get(metadata().keys(), "").json());
        } catch (ParseException e) {
            throw ProviderMetadata.unusable(provider, "its keys cannot be read");
        }
    }

    /** What the provider gives for a code. */
    JsonFields token(String code, String verifier, String redirect) {
        ProviderMetadata at = metadata();
        Map<String, String> form =
                new java.util.HashMap<>(
                        Map.of(
                                "grant_type", "authorization_code",
                                "code", code,
                                "redirect_uri", redirect,
                                "code_verifier", verifier));
        HttpRequest.Builder request =
                HttpRequest.newBuilder(at.token())
                        .timeout(TIMEOUT)
                        .header("Accept", "application/json")
                        .header("Content-Type", "application/x-www-form-urlencoded");
        Optional<String> secret = provider.clientSecret();
        if (secret.isPresent() && at.basic()) {
            String both = encoded(provider.clientId()) + ":" + encoded(secret.get());
            request.header(
                    "Authorization",
                    "Basic "
                            + Base64.getEncoder()
                                    .encodeToString(both.getBytes(StandardCharsets.UTF_8)));
        } else {
            form.put("client_id", provider.clientId());
            secret.ifPresent(text -> form.put("client_secret", text));
        }
        String body =
                form.entrySet().stream()
                        .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                        .collect(Collectors.joining("&"));
        HttpResponse<byte[]> answer = sent(request.POST(BodyPublishers.ofString(body)).build());
        if (answer.statusCode() == 400 || answer.statusCode() == 401) {
            throw new SkepException(
                    ErrorCode.IDENTITY_REFUSED,
                    "%s did not accept the sign-in (%s); try again"
                            .formatted(provider.name(), reason(answer.body())));
        }
        return json(answer);
    }

    /** The provider's own word for a refusal, if it is one. */
    private static String reason(byte[] body) {
        try {
            String error = JsonFields.of(body).shown("error");
            return error.matches("[a-z_]{1,60}") ? error : "no reason given";
        } catch (SkepException e) {
            return "no reason given";
        }
    }

    /** More claims of the account; empty if the provider has no such place. */
    Optional<JsonFields> userInfo(String accessToken) {
        return metadata().userInfo().map(url -> get(url, accessToken));
    }

    private JsonFields get(URI url, String bearer) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url).timeout(TIMEOUT).header("Accept", "application/json");
        if (!bearer.isEmpty()) {
            request.header("Authorization", "Bearer " + bearer);
        }
        return json(sent(request.GET().build()));
    }

    private JsonFields json(HttpResponse<byte[]> answer) {
        if (answer.statusCode() != 200) {
            throw ProviderMetadata.unusable(
                    provider,
                    "it answered %d at %s".formatted(answer.statusCode(), answer.uri().getPath()));
        }
        try {
            return JsonFields.of(answer.body());
        } catch (SkepException e) {
            throw ProviderMetadata.unusable(provider, "it answered no JSON object");
        }
    }

    private HttpResponse<byte[]> sent(HttpRequest request) {
        try {
            return BoundedExchange.send(client, request, BodyHandlers.ofByteArray(), MOST_BYTES);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.PROVIDER_UNREACHABLE,
                    "%s at %s does not answer (%s); try again later"
                            .formatted(
                                    provider.name(),
                                    provider.issuer(),
                                    e.getClass().getSimpleName()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "interrupted while signing in", e);
        }
    }

    private <T> Fetched<T> fetched(T value) {
        return new Fetched<>(value, nanoTime.getAsLong());
    }

    private boolean isOlder(Fetched<?> fetched, Duration age) {
        return nanoTime.getAsLong() - fetched.at() > age.toNanos();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
