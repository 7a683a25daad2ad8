package dev.skep.directory.enrolment;

import dev.skep.directory.secret.VerifyingKey;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.time.Duration;
import java.time.InstantSource;

/** Checks that a claim answers a challenge of this hub with the right key. Thread-safe. */
final class ChallengeVerifier {
    private final String hubId;
    private final ChallengeIssuer challengeIssuer;
    private final InstantSource clock;

    ChallengeVerifier(String hubId, ChallengeIssuer challengeIssuer, InstantSource clock) {
        this.hubId = hubId;
        this.challengeIssuer = challengeIssuer;
        this.clock = clock;
    }

    /** Throws unless the key signed the claim for this hub, over a challenge used only now. */
    void check(HostClaim claim, String publicKey) {
        checkAnswer(claim, publicKey);
        use(claim);
    }

    /**
     * The same before the challenge is used: only those of accepted keys are remembered, since
     * anyone can make keys and answer without end.
     */
    void checkAnswer(HostClaim claim, String publicKey) {
        if (!claim.statement().hubId().equals(hubId)) {
            throw new SkepException(
                    ErrorCode.HUB_CHANGED,
                    "this is hub %s, but the host means another; enrol it here with: skep enrol URL --code CODE"
                            .formatted(hubId));
        }
        challengeIssuer.check(claim.statement().nonce());
        checkSignature(claim, publicKey);
    }

    void use(HostClaim claim) {
        challengeIssuer.use(claim.statement().nonce());
    }

    void checkSignature(HostClaim claim, String publicKey) {
        VerifyingKey key =
                VerifyingKey.parse(publicKey)
                        .orElseThrow(
                                () ->
                                        new SkepException(
                                                ErrorCode.BAD_REQUEST,
                                                "that is not an Ed25519 public key"));
        if (!key.verifies(claim.statement().bytes(), claim.signed())) {
            throw new SkepException(
                    ErrorCode.WRONG_SIGNATURE,
                    "the host's signature does not fit its key; its key file may be damaged, restore it from a backup");
        }
    }

    /** By how much the host's clock is ahead of this hub's; negative if behind. */
    Duration clockOff(HostClaim claim) {
        return Duration.between(clock.instant(), claim.statement().at());
    }
}
