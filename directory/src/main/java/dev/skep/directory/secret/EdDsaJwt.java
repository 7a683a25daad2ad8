package dev.skep.directory.secret;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.impl.BaseJWSProvider;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.util.Optional;
import java.util.Set;

/**
 * JWTs signed with Ed25519; the library's own signer for it would bring Tink along. The algorithm
 * and the type are fixed, whatever a token's header says.
 */
public final class EdDsaJwt {
    private final JOSEObjectType type;
    private final JWSHeader header;

    public EdDsaJwt(String type) {
        this.type = new JOSEObjectType(type);
        this.header = new JWSHeader.Builder(JWSAlgorithm.EdDSA).type(this.type).build();
    }

    public String sign(JWTClaimsSet claims, SigningKey key) {
        SignedJWT jwt = new SignedJWT(header, claims);
        try {
            jwt.sign(new Signer(key));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The claims of a token this key signed; empty for any other, however it is made. */
    public Optional<JWTClaimsSet> verified(String token, VerifyingKey key) {
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            boolean ours =
                    JWSAlgorithm.EdDSA.equals(jwt.getHeader().getAlgorithm())
                            && type.equals(jwt.getHeader().getType())
                            && key.verifies(jwt.getSigningInput(), jwt.getSignature().decode());
            return ours ? Optional.of(jwt.getJWTClaimsSet()) : Optional.empty();
        } catch (ParseException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static final class Signer extends BaseJWSProvider implements JWSSigner {
        private final SigningKey key;

        Signer(SigningKey key) {
            super(Set.of(JWSAlgorithm.EdDSA));
            this.key = key;
        }

        @Override
        public Base64URL sign(JWSHeader header, byte[] input) {
            return Base64URL.encode(key.sign(input));
        }
    }
}
