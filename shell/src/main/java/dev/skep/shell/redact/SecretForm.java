package dev.skep.shell.redact;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * A form in which a secret may stand in a text.
 *
 * @param shared whether the characters at its ends hold bits of the secret together with its
 *     neighbours', so that these go too
 * @param brokenByBlanks whether tools write it with blanks and line ends inside
 */
record SecretForm(String text, boolean shared, boolean brokenByBlanks) {
    private static final int BITS = 6;

    /** As it is and as tools write it; what is shorter than {@code shortest} is left out. */
    static List<SecretForm> of(String secret, int shortest) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        List<SecretForm> secretForms = new ArrayList<>();
        String url = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        secretForms.add(new SecretForm(secret, false, false));
        secretForms.add(
                new SecretForm(new StringBuilder(secret).reverse().toString(), false, false));
        for (String encoded : List.of(url, url.replace("+", "%20"))) {
            secretForms.add(new SecretForm(encoded, false, false));
            secretForms.add(new SecretForm(lowerEscapes(encoded), false, false));
        }
        String hex = HexFormat.of().formatHex(bytes);
        secretForms.add(new SecretForm(hex, false, true));
        secretForms.add(new SecretForm(hex.toUpperCase(Locale.ROOT), false, true));
        for (int offset = 0; offset < 3; offset++) {
            secretForms.add(base64(Base64.getEncoder(), bytes, offset));
            secretForms.add(base64(Base64.getUrlEncoder(), bytes, offset));
        }
        return secretForms.stream()
                .filter(secretForm -> secretForm.text().length() >= shortest)
                .distinct()
                .toList();
    }

    /** The characters that hold bits of the secret alone, so many bytes after a group's begin. */
    private static SecretForm base64(Base64.Encoder encoder, byte[] bytes, int offset) {
        byte[] shifted = new byte[offset + bytes.length];
        System.arraycopy(bytes, 0, shifted, offset, bytes.length);
        int first = Math.ceilDiv(offset * Byte.SIZE, BITS);
        int end = shifted.length * Byte.SIZE / BITS;
        String text = encoder.withoutPadding().encodeToString(shifted).substring(first, end);
        return new SecretForm(text, offset > 0 || shifted.length % 3 != 0, true);
    }

    private static String lowerEscapes(String encoded) {
        StringBuilder lower = new StringBuilder(encoded);
        for (int i = lower.indexOf("%"); i >= 0; i = lower.indexOf("%", i + 1)) {
            lower.replace(i, i + 3, lower.substring(i, i + 3).toLowerCase(Locale.ROOT));
        }
        return lower.toString();
    }
}
