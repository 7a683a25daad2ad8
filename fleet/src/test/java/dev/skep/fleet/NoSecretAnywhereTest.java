package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.demo.FirstAgents;
import dev.skep.runner.terminal.Terminal;
import dev.skep.store.Database;
import dev.skep.testkit.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
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
            Set.of("runner.key", "hub.key", "secrets.key", "agent-secrets", "admin", ".env");

    /**
     * What an agent's environment holds: never in a row, a log or a page, however it is printed.
     */
    private static final String DEPLOY_TOKEN = "correct-horse-battery-1";

    @Test
    void no_key_password_code_or_token_is_in_a_row_or_a_log(@TempDir Path folder) throws Exception {
        List<String> secrets = new ArrayList<>(List.of(TestSettings.ACCESS_KEY));
        eveWhoPrintsHerToken(folder);
        try (var lifecycle = new Lifecycle()) {
            Assembly.Opened product =
                    new Assembly(TestSettings.up(folder), lifecycle, folder, "test")
                            .open(Composition.UP, Terminal.none());
            product.lines().stream()
                    .filter(line -> line.contains("#"))
                    .forEach(line -> secrets.add(line.replaceFirst(".*#", "")));
            var admin = HttpVisitor.local(product.url(), folder);
            secrets.add(admin.secret());
            SampleFleet.settle(admin, product.main().database());
            Database hub = product.main().database();
            Eventually.holds(
                    "what eve printed reaches the hub",
                    () -> printed(hub).contains("hex [redacted] base [redacted] back [redacted]"));
            secrets.addAll(formsOf(DEPLOY_TOKEN));
            HttpVisitor ada = admin.operatorOf("default", "grace");
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
        assertThat(secrets).hasSize(7 + formsOf(DEPLOY_TOKEN).size()).doesNotContain("");
        for (String secret : secrets) {
            assertThat(filesWith(folder, secret)).as("a secret of this run").isEmpty();
        }
    }

    private static void eveWhoPrintsHerToken(Path folder) throws IOException {
        Path agents = folder.resolve("agents");
        FirstAgents.writeIfNew(agents);
        Files.writeString(folder.resolve(".env"), "DEPLOY_TOKEN=" + DEPLOY_TOKEN + "\n");
        Files.writeString(
                agents.resolve("eve.yaml"),
                """
                prompt: Print it.
                model: scripted:eve.script.yaml
                env: { DEPLOY_TOKEN: "${env.DEPLOY_TOKEN}" }
                """);
        Files.writeString(
                agents.resolve("eve.script.yaml"),
                """
                steps:
                  - when: { turn: 0 }
                    run:
                      - 'echo "plain $DEPLOY_TOKEN"'
                      - 'echo hex $(printf %s "$DEPLOY_TOKEN" | od -An -v -tx1) base $(printf "%s" "$DEPLOY_TOKEN" | base64 -w 20) back $(printf %s "$DEPLOY_TOKEN" | rev)'
                  - run: [session wait]
                """);
    }

    private static String printed(Database hub) {
        String sql = "SELECT message FROM context_log WHERE type = 'output'";
        List<String> outputs = hub.read(snapshot -> snapshot.list(sql, row -> row.text("message")));
        return String.join("\n", outputs);
    }

    private static List<String> formsOf(String secret) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        return List.of(
                secret,
                new StringBuilder(secret).reverse().toString(),
                HexFormat.ofDelimiter(" ").formatHex(bytes),
                Base64.getEncoder().encodeToString(bytes).substring(0, 20));
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
