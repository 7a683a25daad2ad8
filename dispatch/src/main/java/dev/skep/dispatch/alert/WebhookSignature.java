package dev.skep.dispatch.alert;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs messages by the Standard Webhooks scheme, so that any of its libraries can check them. */
public final class WebhookSignature {
    private static final String PREFIX = "whsec_";
    private static final int BYTES = 32;

    private WebhookSignature() {}

    public static String newSecret(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    /** The headers of a message. */
    static Map<String, String> headers(String secret, String id, Instant at, String body) {
        String timestamp = Long.toString(at.getEpochSecond());
        return Map.of(
                "webhook-id",
                id,
                "webhook-timestamp",
                timestamp,
                "webhook-signature",
                "v1," + sign(secret, id + "." + timestamp + "." + body));
    }

    static String sign(String secret, String text) {
        try {
            byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return Base64.getEncoder()
                    .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
