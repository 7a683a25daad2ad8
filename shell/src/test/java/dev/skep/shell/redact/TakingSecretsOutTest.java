package dev.skep.shell.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @ValueSource(strings = {"open sesame!", "tr0ub4dor&3", "ключ-от-двери", "sesame", "a/b+c=d?e"})
    void a_secret_goes_however_tools_encode_it(String secret) {
        var redactor = new Redactor(List.of(secret));
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        String hex = HexFormat.of().formatHex(bytes);
        assertGone(redactor, hex, hex.substring(0, 8));
        assertGone(redactor, hex.toUpperCase(Locale.ROOT), hex.toUpperCase(Locale.ROOT));
        assertGone(
                redactor, HexFormat.ofDelimiter(" ").formatHex(bytes), hex.substring(0, 2) + " ");
        assertGone(redactor, new StringBuilder(secret).reverse().toString(), "reversed");
        String url = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        assertGone(redactor, url, url);
        assertGone(redactor, url.replace("+", "%20"), url);
        Pattern escape = Pattern.compile("%..");
        String lower = escape.matcher(url).replaceAll(e -> e.group().toLowerCase(Locale.ROOT));
        assertGone(redactor, lower, lower);
        for (int offset = 0; offset < 6; offset++) {
            for (Base64.Encoder encoder :
                    List.of(Base64.getEncoder(), Base64.getUrlEncoder(), Base64.getMimeEncoder())) {
                byte[] around =
                        ("x".repeat(offset) + secret + "yy").getBytes(StandardCharsets.UTF_8);
                String encoded = encoder.encodeToString(around);
                String left =
                        redactor.redact(encoded)
                                .replace(Redactor.MARK, "")
                                .replaceAll("[\\s=]", "");
                // At most the letters around it are left.
                assertThat(left.length())
                        .as("%s at %d: %s", secret, offset, left)
                        .isLessThanOrEqualTo(offset * 4 / 3 + 4);
            }
        }
    }

    private static void assertGone(Redactor redactor, String encoded, String part) {
        assertThat(redactor.redact("before " + encoded + " after"))
                .isEqualTo("before [redacted] after")
                .doesNotContain(part);
    }

    @Test
    void base64_of_a_long_text_goes_though_its_lines_end_in_the_secret() {
        var redactor = new Redactor(List.of("correct horse battery staple"));
        String text = "-".repeat(40) + "correct horse battery staple" + "-".repeat(40);
        String wrapped =
                Base64.getMimeEncoder(76, new byte[] {'\n'})
                        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
        assertThat(wrapped).contains("\n");
        assertThat(redactor.redact(wrapped))
                .contains(Redactor.MARK)
                .doesNotContain("aG9yc2U", "c3RhcGxl", "YmF0dGVyeS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Cache-Control", "cache-control", "Content-Type", "Authorization"})
    void a_word_of_everyday_texts_is_no_secret_whatever_its_variable_is_called(String word) {
        String text = "HTTP/1.1 200 OK\n%s: no-store".formatted(word);
        assertThat(new Redactor(List.of(word)).redact(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "API_KEY, true",
        "apiKey, true",
        "DEPLOY_TOKEN, true",
        "GITHUB_AUTH, true",
        "PRIVATE_KEY, true",
        "DB_PASSWORD, true",
        "MYSQL_PASSWD, true",
        "AWS_CREDENTIALS, true",
        "DATABASE_URL, true",
        "Cache-Control, false",
        "KEYBOARD, false",
        "AUTHOR, false",
        "MAX_TOKENS, false",
        "MONKEY, false",
        "KEY_FILE, false",
        "SSH_AUTH_SOCK, false",
        "PUBLIC_KEY, false",
        "PWD, false"
    })
    void names_mean_a_secret_by_whole_words(String name, boolean secret) {
        assertThat(SecretNames.mean(name)).isEqualTo(secret);
    }

    @Test
    void what_comes_in_pieces_is_redacted_as_a_whole_wherever_it_is_cut() {
        var redactor = new Redactor(List.of("open sesame!"));
        String pem = "-----BEGIN PRIVATE KEY-----\nMIIEabc\ndef\n-----END PRIVATE KEY-----";
        String text =
                "say open sesame! and b3BlbiBzZXNh\nbWUh or ghp_abcdefghijklmnopqrstuvwxyz0123456789\n"
                        + "Authorization: Bearer abcdef0123456789 \n"
                        + pem
                        + "\nthe end";
        String whole = redactor.redact(text);
        assertThat(whole).doesNotContain("sesame", "bWUh", "ghp_", "abcdef", "MIIE");
        for (int cut = 0; cut <= text.length(); cut++) {
            RedactedStream stream = redactor.stream();
            String shown = stream.write(text.substring(0, cut)) + stream.write(text.substring(cut));
            assertThat(shown + stream.end()).as("cut at %d", cut).isEqualTo(whole);
        }
        RedactedStream letters = redactor.stream();
        StringBuilder shown = new StringBuilder();
        text.chars().forEach(c -> shown.append(letters.write(Character.toString(c))));
        assertThat(shown.append(letters.end())).hasToString(whole);
    }

    @Test
    void half_a_secret_waits_for_its_other_half_and_nothing_else_does() {
        RedactedStream stream = new Redactor(List.of("open sesame!")).stream();
        assertThat(stream.write("Continue? open") + stream.pause()).isEqualTo("Continue? ");
        assertThat(stream.write(" sesame!") + stream.pause()).isEqualTo("[redacted]");
        assertThat(stream.write("progress...") + stream.pause()).isEqualTo("progress...");
    }

    @Test
    void a_megabyte_is_read_in_one_go_however_many_secrets_there_are() {
        var random = new Random(7);
        List<String> secrets =
                random.ints(100).mapToObj(i -> "secret-%08x-%08x".formatted(i, ~i)).toList();
        var redactor = new Redactor(secrets);
        StringBuilder text = new StringBuilder();
        while (text.length() < 1_000_000) {
            text.append(
                    "2026-11-18 12:00:00 INFO worker %d did what it was to do in %d ms\n"
                            .formatted(random.nextInt(), random.nextInt(900)));
        }
        text.append(secrets.getLast());
        String before = text.toString();
        assertThat(redactor.redact(before)).endsWith(Redactor.MARK);
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long begin = System.nanoTime();
            redactor.redact(before);
            best = Math.min(best, System.nanoTime() - begin);
        }
        // A search for each of the 1,600 forms takes well over this.
        assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofMillis(250));
    }
}
