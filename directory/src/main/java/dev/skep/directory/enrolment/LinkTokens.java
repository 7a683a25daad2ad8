package dev.skep.directory.enrolment;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.secret.EdDsaJwt;
import dev.skep.directory.secret.SecretDigest;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Short-lived proofs that a host answered a challenge: JWTs that this hub signs for itself. A
 * signature is checked once and its outcome kept until the token expires; whether the host's key
 * still counts is asked each time. Thread-safe.
 */
public final class LinkTokens {
    public static final Duration LIFE = Duration.ofMinutes(5);
    static final String TYPE = "skep-link+jwt";
    private static final int KEPT = 20_000;

    private final LocalHost hub;
    private final HostKeyCache hostKeyCache;
    private final InstantSource clock;
    private final EdDsaJwt jwt = new EdDsaJwt(TYPE);

    /** By the token's hash, so that a dump of the memory holds no token. */
    private final Map<String, LinkClaims> verified =
            Collections.synchronizedMap(
                    new LinkedHashMap<>(256, 0.75f, true) {
                        private static final long serialVersionUID = 1L;

                        @Override
                        protected boolean removeEldestEntry(Map.Entry<String, LinkClaims> eldest) {
                            boolean isOver =
                                    !LinkTokens.this
                                            .clock
                                            .instant()
                                            .isBefore(eldest.getValue().expiresAt());
                            return isOver || size() > KEPT;
                        }
                    });

    LinkTokens(LocalHost hub, HostKeyCache hostKeyCache, InstantSource clock) {
        this.hub = hub;
        this.hostKeyCache = hostKeyCache;
        this.clock = clock;
    }

    String issue(EnrolledKey key, String place, Duration clockOff) {
        JWTClaimsSet claims =
                new JWTClaimsSet.Builder()
                        .issuer(hub.id().value())
                        .audience(hub.id().value())
                        .subject(key.host().value())
                        .claim("org", key.org().value())
                        .claim("agentKeyVersion", key.version())
                        .claim("place", place)
                        .claim("clockOff", clockOff.toSeconds())
                        .expirationTime(Date.from(clock.instant().plus(LIFE)))
                        .build();
        return jwt.sign(claims, hub.keys().newest().pair());
    }

    /** The host of a token; throws if the token is not ours or expired, or its key is revoked. */
    public LinkClaims verify(String token) {
        String hash = SecretDigest.sha256(token);
        LinkClaims claims = verified.get(hash);
        if (claims == null) {
            claims = checked(token);
            verified.put(hash, claims);
        }
        if (!clock.instant().isBefore(claims.expiresAt())) {
            verified.remove(hash);
            throw new SkepException(
                    ErrorCode.TOKEN_EXPIRED, "this token has expired; answer a new challenge");
        }
        hostKeyCache.check(claims.org(), claims.host(), claims.agentKeyVersion());
        return claims;
    }

    /** Whether an open link's host still counts: for looking again from time to time. */
    public boolean stillCounts(LinkClaims claims) {
        try {
            hostKeyCache.check(claims.org(), claims.host(), claims.agentKeyVersion());
            return true;
        } catch (SkepException refused) {
            return false;
        }
    }

    LinkClaims checked(String token) {
        Optional<LinkClaims> claims =
                hub.keys().all().stream()
                        .map(key -> jwt.verified(token, key.pair().open()))
                        .flatMap(Optional::stream)
                        .findFirst()
                        .flatMap(this::ours);
        return claims.orElseThrow(
                () ->
                        new SkepException(
                                ErrorCode.TOKEN_INVALID,
                                "this is not a token of this hub; answer a challenge of it"));
    }

    private Optional<LinkClaims> ours(JWTClaimsSet claims) {
        String self = hub.id().value();
        try {
            if (!self.equals(claims.getIssuer()) || !claims.getAudience().contains(self)) {
                return Optional.empty();
            }
            return Optional.of(
                    new LinkClaims(
                            new OrgId(claims.getStringClaim("org")),
                            new HostId(claims.getSubject()),
                            claims.getIntegerClaim("agentKeyVersion"),
                            claims.getStringClaim("place"),
                            Duration.ofSeconds(claims.getLongClaim("clockOff")),
                            claims.getExpirationTime().toInstant()));
        } catch (ParseException e) {
            return Optional.empty();
        }
    }
}
