package dev.skep.directory.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostSealTest {
    private static final String PURPOSE = "skep secret\nhost\nNAME\n1";

    private final SigningKey host = SigningKey.generate(new SecureRandom());
    private final String publicKey = host.open().toString();

    @Test
    void what_is_sealed_for_a_host_is_opened_by_it_alone_and_for_its_purpose() {
        String sealed = HostSeal.seal(publicKey, "geheim ☃", PURPOSE);

        assertThat(sealed).doesNotContain("geheim").matches("1\\.[A-Za-z0-9_-]+");
        assertThat(HostSeal.open(host, sealed, PURPOSE)).contains("geheim ☃");
        assertThat(HostSeal.open(host, sealed, PURPOSE.replace("NAME", "OTHER"))).isEmpty();
        SigningKey other = SigningKey.generate(new SecureRandom());
        assertThat(HostSeal.open(other, sealed, PURPOSE)).isEmpty();
    }

    @Test
    void every_host_key_can_be_sealed_for_and_no_two_seals_are_alike() {
        for (int i = 0; i < 50; i++) {
            SigningKey key = SigningKey.generate(new SecureRandom());
            String sealed = HostSeal.seal(key.open().toString(), "x", PURPOSE);
            assertThat(HostSeal.open(key, sealed, PURPOSE)).contains("x");
            assertThat(HostSeal.seal(key.open().toString(), "x", PURPOSE)).isNotEqualTo(sealed);
        }
    }

    @Test
    void a_seal_that_was_changed_anywhere_does_not_open() {
        String sealed = HostSeal.seal(publicKey, "secret", PURPOSE);
        byte[] bytes = Base64.getUrlDecoder().decode(sealed.substring(2));
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            String text = "1." + Base64.getUrlEncoder().withoutPadding().encodeToString(changed);
            assertThat(HostSeal.open(host, text, PURPOSE)).as("byte " + i).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1.", "1.AAAA", "2.AAAA", "1.no base64!", "plain"})
    void what_is_no_seal_is_not_opened(String text) {
        assertThat(HostSeal.open(host, text, PURPOSE)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "AAAA",
                "no base64!",
                // y = 1, the neutral point, and y = 0, a point of order four.
                "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            })
    void nothing_is_sealed_for_what_is_no_key_or_one_that_anybody_has(String key) {
        assertThatThrownBy(() -> HostSeal.seal(key, "secret", PURPOSE))
                .hasMessageContaining("no public key of a host");
    }

    @Test
    void what_a_page_sealed_in_a_browser_opens_too() {
        SigningKey known = SigningKey.parse("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8");
        String sealed =
                "1.7DH5Oik70a-lkcbwGaKdGeNylvM5sJzLME6vsbVLckLJNDgZ-7jCKPjqjKYmggqG7c8GlqchKRbZnctJ_KNP";

        assertThat(HostSeal.open(known, sealed, "p")).contains("hello world ☃");
    }

    @Test
    void the_longest_text_fits_into_a_field_of_a_job() {
        assertThat(HostSeal.seal(publicKey, "x".repeat(HostSeal.LONGEST), PURPOSE))
                .hasSizeLessThan(10_000);
    }
}
