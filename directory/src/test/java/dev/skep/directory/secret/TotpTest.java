package dev.skep.directory.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TotpTest {
    private static final byte[] KEY_OF_THE_RFC =
            "12345678901234567890".getBytes(StandardCharsets.US_ASCII);

    /** RFC 6238, appendix B, the lines for SHA-1. */
    @ParameterizedTest
    @CsvSource({
        "59, 94287082",
        "1111111109, 07081804",
        "1111111111, 14050471",
        "1234567890, 89005924",
        "2000000000, 69279037",
        "20000000000, 65353130"
    })
    void codes_are_those_of_the_rfc(long seconds, String code) {
        assertThat(Totp.code(KEY_OF_THE_RFC, seconds / 30, 8)).isEqualTo(code);
    }

    /** RFC 4648, section 10, without the padding that otpauth links leave out. */
    @ParameterizedTest
    @CsvSource({"f, MY", "fo, MZXQ", "foo, MZXW6", "foob, MZXW6YQ", "fooba, MZXW6YTB"})
    void base_32_is_that_of_the_rfc(String text, String encoded) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        assertThat(Totp.encoded(bytes)).isEqualTo(encoded);
        assertThat(Totp.decoded(encoded)).isEqualTo(bytes);
    }

    @Test
    void a_code_is_right_a_step_early_or_late_and_only_after_the_last_used_step() {
        String secret = Totp.newSecret(new SecureRandom());
        Instant now = Instant.parse("2026-11-19T12:00:10Z");
        String code = Totp.codeAt(secret, now);
        long step = Totp.stepOf(secret, code, now, 0).orElseThrow();
        assertThat(Totp.stepOf(secret, code, now.plusSeconds(30), 0)).hasValue(step);
        assertThat(Totp.stepOf(secret, code, now.minusSeconds(30), 0)).hasValue(step);
        assertThat(Totp.stepOf(secret, code, now.plusSeconds(60), 0)).isEmpty();
        assertThat(Totp.stepOf(secret, code, now.minusSeconds(60), 0)).isEmpty();
        assertThat(Totp.stepOf(secret, code, now, step)).isEmpty();
        assertThat(Totp.stepOf(secret, code.substring(0, 3) + " " + code.substring(3), now, 0))
                .hasValue(step);
        assertThat(Totp.stepOf(secret, "12345", now, 0)).isEmpty();
    }
}
