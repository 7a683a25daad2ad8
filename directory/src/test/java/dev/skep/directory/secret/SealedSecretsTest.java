package dev.skep.directory.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SealedSecretsTest {
    @TempDir Path folder;

    @Test
    void a_sealed_secret_opens_again_after_a_restart_and_for_its_purpose_only() {
        String sealed = open("a").seal("hush", "webhook:1");
        assertThat(sealed).doesNotContain("hush");
        assertThat(open("a").open(sealed, "webhook:1")).isEqualTo("hush");
        assertThatThrownBy(() -> open("a").open(sealed, "webhook:2"))
                .hasMessageContaining("key file");
        assertThatThrownBy(() -> open("b").open(sealed, "webhook:1"))
                .hasMessageContaining("key file");
    }

    @Test
    void a_password_matches_its_hash_only() {
        String hash = Argon2id.hash("correct horse battery", new SecureRandom());
        assertThat(hash).startsWith("$argon2id$v=19$m=19456,t=2,p=1$");
        assertThat(Argon2id.matches("correct horse battery", hash)).isTrue();
        assertThat(Argon2id.matches("correct horse batterz", hash)).isFalse();
        assertThat(Argon2id.matches("", Argon2id.blank())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "no base64!", "c2hvcnQ="})
    void a_file_that_holds_no_key_is_reported_when_it_is_opened(String text) {
        new PrivateFile(folder.resolve("damaged")).write(text);

        assertThatThrownBy(() -> open("damaged"))
                .hasMessageContaining(folder.resolve("damaged") + " holds no key; restore it");
    }

    private SealedSecrets open(String name) {
        return SealedSecrets.open(folder.resolve(name), new SecureRandom());
    }
}
