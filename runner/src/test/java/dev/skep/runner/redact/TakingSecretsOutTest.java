package dev.skep.runner.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TakingSecretsOutTest {
    private final Redactor redactor = new Redactor(List.of("open sesame!", "open sesame!!", "abc"));

    @Test
    void known_secrets_go_in_every_form_and_the_longer_first() {
        assertThat(redactor.redact("say open sesame!! or open+sesame%21 or b3BlbiBzZXNhbWUh"))
                .isEqualTo("say [redacted] or [redacted] or [redacted]");
    }

    @Test
    void short_values_would_take_words_out_and_stay() {
        assertThat(redactor.redact("abc")).isEqualTo("abc");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sk-ant-" + "api03-abcdefghijklmnopqrstuvwxyz",
                "AIzaSyA0123456789abcdefghijklmnopqrstuv",
                "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
                "AKIAIOSFODNN7EXAMPLE",
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.abcdefghijklm",
                "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"
            })
    void what_is_shaped_like_a_key_goes(String key) {
        assertThat(redactor.redact("a " + key + " z")).isEqualTo("a [redacted] z");
    }

    @Test
    void bearer_tokens_and_passwords_in_urls_go_and_the_rest_stays() {
        assertThat(redactor.redact("Authorization: Bearer abcdef0123456789"))
                .isEqualTo("Authorization: Bearer [redacted]");
        assertThat(redactor.redact("postgres://joe:pw@db/x"))
                .isEqualTo("postgres://joe:[redacted]@db/x");
        String plain = "git log --oneline skep-runner 01M7EW8J0N7S4NX0PDJV7XZ2F1 http://a:80/b";
        assertThat(redactor.redact(plain)).isEqualTo(plain);
    }
}
