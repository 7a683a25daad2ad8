package dev.skep.directory.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.skep.directory.secret.SecretDigest;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks ID tokens: who signed them, for whom, for which sign-in, and that they are new. Only
 * public keys that the provider publishes count; a token without a signature or with a shared key
 * never does. Thread-safe.
 */
final class IdTokenVerifier {
    private static final Logger LOG = LoggerFactory.getLogger(IdTokenVerifier.class);

    /** As much as the provider's clock may differ from ours. */
    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    private static final Set<JWSAlgorithm> ALGORITHMS =
            Set.of(
                    JWSAlgorithm.RS256,
                    JWSAlgorithm.RS384,
                    JWSAlgorithm.RS512,
                    JWSAlgorithm.PS256,
                    JWSAlgorithm.PS384,
                    JWSAlgorithm.PS512,
                    JWSAlgorithm.ES256,
                    JWSAlgorithm.ES384,
                    JWSAlgorithm.ES512);

    private final IdentityProvider provider;
    private final IdentityProviderClient client;
    private final InstantSource clock;

    IdTokenVerifier(IdentityProvider provider, IdentityProviderClient client, InstantSource clock) {
        this.provider = provider;
        this.client = client;
        this.clock = clock;
    }

    JWTClaimsSet verified(String token, String nonce) {
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            if (!ALGORITHMS.contains(jwt.getHeader().getAlgorithm())) {
                throw refused("it is signed with " + jwt.getHeader().getAlgorithm());
            }
            if (!isSigned(jwt)) {
                throw refused("no key of the provider signed it");
            }
            JWTClaimsSet claims = jwt.getJWTClaimsSet();
            check(claims, nonce);
            return claims;
        } catch (ParseException e) {
            throw refused("it cannot be read");
        }
    }

    private boolean isSigned(SignedJWT jwt) {
        for (JWK key : client.keysFor(jwt.getHeader().getKeyID())) {
            try {
                if (key instanceof AsymmetricJWK asymmetric
                        && jwt.verify(
                                new DefaultJWSVerifierFactory()
                                        .createJWSVerifier(
                                                jwt.getHeader(), asymmetric.toPublicKey()))) {
                    return true;
                }
            } catch (JOSEException anotherKindOfKey) {
                // The next one may fit.
            }
        }
        return false;
    }

    private void check(JWTClaimsSet claims, String nonce) throws ParseException {
        String issuer = String.valueOf(claims.getIssuer());
        if (!ProviderMetadata.withoutSlash(issuer)
                .equals(ProviderMetadata.withoutSlash(provider.issuer().toString()))) {
            throw refused("it is of another issuer");
        }
        String party = claims.getStringClaim("azp");
        boolean forUs =
                claims.getAudience().contains(provider.clientId())
                        && (party == null || party.equals(provider.clientId()))
                        && (party != null || claims.getAudience().size() == 1);
        if (!forUs) {
            throw refused("it is for another client");
        }
        String given = claims.getStringClaim("nonce");
        if (given == null || !SecretDigest.same(given, nonce)) {
            throw refused("it is of another sign-in");
        }
        if (claims.getSubject() == null || claims.getSubject().isBlank()) {
            throw refused("it names no account");
        }
        Instant now = clock.instant();
        Date ends = claims.getExpirationTime();
        Date made = claims.getIssueTime();
        boolean isOver = ends == null || ends.toInstant().plus(TOLERANCE).isBefore(now);
        boolean isOfTheFuture = made == null || made.toInstant().minus(TOLERANCE).isAfter(now);
        if (isOver || isOfTheFuture) {
            throw refused("by this machine's clock it has expired or is not valid yet");
        }
    }

    private SkepException refused(String why) {
        LOG.warn("an ID token was refused provider={} reason={}", provider.id(), why);
        return new SkepException(
                ErrorCode.IDENTITY_REFUSED,
                "the ID token of %s was refused: %s; try again".formatted(provider.name(), why));
    }
}
