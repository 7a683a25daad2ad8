package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.assembly.Terminal;
import dev.skep.kernel.lifecycle.Lifecycle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole product at work, and then every file it leaves behind. */
final class NoSecretAnywhereTest {
    /** Where a secret is meant to be, readable by its owner only. */
    private static final Set<String> SAFES =
            Set.of("runner.key", "hub.key", "secrets.key", "admin");

    @Test
    void no_key_password_code_or_token_is_in_a_row_or_a_log(@TempDir Path folder) throws Exception {
        List<String> secrets = new ArrayList<>(List.of(Settings.ACCESS_KEY));
        try (var lifecycle = new Lifecycle()) {
            Assembly.Opened product =
                    new Assembly(Settings.up(folder), lifecycle, folder, "test")
                            .open(Composition.UP, Terminal.none());
            product.told().stream()
                    .filter(line -> line.contains("#"))
                    .forEach(line -> secrets.add(line.replaceFirst(".*#", "")));
            var admin = Visitor.local(product.url(), folder);
            secrets.add(admin.secret());
            Inhabitants.settle(admin, product.main().database());
            Visitor ada = admin.operatorOf("default", "grace");
            secrets.add(ada.secret());
            String org = "/api/orgs/default/";
            secrets.add(
                    admin.post(org + "keys", Map.of("kind", "join", "label", "more"))
                            .text("secret"));
            secrets.add(admin.post(org + "pairing-codes", Map.of()).text("code"));
            secrets.add(
                    admin.post(
                                    org + "webhooks",
                                    Map.of(
                                            "kind",
                                            "generic",
                                            "name",
                                            "other",
                                            "url",
                                            "https://other.example.com/",
                                            "topics",
                                            List.of()))
                            .text("secret"));
            ada.call("GET", org + "hosts?token=" + secrets.getFirst());
        }
        assertThat(secrets).hasSize(7).doesNotContain("");
        for (String secret : secrets) {
            assertThat(filesWith(folder, secret)).as("a secret of this run").isEmpty();
        }
    }

    private static List<Path> filesWith(Path folder, String secret) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !SAFES.contains(file.getFileName().toString()))
                    .filter(file -> holds(file, secret))
                    .toList();
        }
    }

    private static boolean holds(Path file, String secret) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                    .contains(secret);
        } catch (IOException e) {
            throw new AssertionError(file + " cannot be read", e);
        }
    }
}
