package dev.skep.directory.routes;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.skep.directory.DirectoryTestHub;
import dev.skep.directory.TestProcess;
import dev.skep.directory.host.HostKey;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.key.ApiKeyKind;
import dev.skep.directory.key.ApiKeyStore;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Role;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A full run of everything that knows a secret, and then a look everywhere it must not be. */
class NoSecretAnywhereTest {
    private static final String PASSWORD = "correct horse battery staple";

    @TempDir Path folder;
    private final Map<String, String> secrets = new LinkedHashMap<>();
    private final List<String> said = new ArrayList<>();

    @Test
    void no_key_password_code_or_token_is_logged_stored_or_sent() throws IOException {
        var log = new ListAppender<ILoggingEvent>();
        var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        var ours = (Logger) LoggerFactory.getLogger("dev.skep");
        Level before = root.getLevel();
        log.start();
        root.addAppender(log);
        // Libraries as they are shipped; of ours everything, down to the details.
        root.setLevel(Level.INFO);
        ours.setLevel(Level.TRACE);
        try (var hub = new DirectoryTestHub(folder.resolve("hub"));
                var runner = new TestProcess(folder.resolve("r"), HostKind.RUNNER, "east-1")) {
            hosts(hub, runner);
            people(hub);
            keys(hub);
            failures(hub, runner);
            said.add(
                    hub.admin()
                            .get("/api/orgs/default/audit?limit=1000")
                            .fields()
                            .list("entries")
                            .toString());
            var audit = new ByteArrayOutputStream();
            hub.admin().download("/api/orgs/default/audit.ndjson", audit);
            said.add(audit.toString(StandardCharsets.UTF_8));
            said.add(new Browser(hub).get("/metrics").body());
        } finally {
            root.setLevel(before);
            ours.setLevel(null);
            root.detachAppender(log);
        }
        log.list.forEach(
                event -> {
                    said.add(event.getFormattedMessage());
                    if (event.getThrowableProxy() != null) {
                        said.add(ThrowableProxyUtil.asString(event.getThrowableProxy()));
                    }
                });
        said.addAll(databases());

        assertThat(secrets).hasSizeGreaterThan(10);
        assertThat(said).hasSizeGreaterThan(25);
        secrets.forEach(
                (what, secret) -> {
                    assertThat(secret).as(what).hasSizeGreaterThan(8);
                    for (String text : said) {
                        assertThat(text.contains(secret))
                                .as("%s in: %s", what, excerpt(text))
                                .isFalse();
                    }
                });
    }

    private void hosts(DirectoryTestHub hub, TestProcess runner) {
        secrets.put("shared key", DirectoryTestHub.SHARED_KEY);
        secrets.put("admin secret", DirectoryTestHub.ADMIN_SECRET);
        secrets.put("pairing code", hub.pairingCode());
        hub.session(runner.host, Optional.empty()).enrol(secrets.getOrDefault("pairing code", ""));
        secrets.put("token", hub.session(runner.host, Optional.empty()).token().text());
        said.add(hub.as(secrets.getOrDefault("token", "")).get("/api/session").toString());
        secrets.put("host key", secretOf(runner.host.keys().newest()));
        secrets.put("hub key", secretOf(hub.process.host.keys().newest()));
        runner.host.rotateKey();
        secrets.put("next host key", secretOf(runner.host.keys().newest()));
        secrets.put("next token", hub.session(runner.host, Optional.empty()).token().text());
    }

    private static String secretOf(HostKey key) {
        return key.pair().secret();
    }

    private void people(DirectoryTestHub hub) {
        Browser browser = new Browser(hub);
        var added = hub.directory.operatorService().add(hub.local("default"), "ada", Role.ADMIN);
        secrets.put("sign-in link", added.linkSecret());
        said.add(added.toString());
        browser.post("/api/session/link", Map.of("token", added.linkSecret()));
        secrets.put("session", browser.cookie());
        secrets.put("password", PASSWORD);
        said.add(browser.send("PUT", "/api/session/password", Map.of("next", PASSWORD)).body());
        secrets.put("next session", browser.cookie());
        said.add(browser.get("/api/orgs/default/operators").body());
        said.add(
                new Browser(hub)
                        .post("/api/session", Map.of("username", "ada", "password", PASSWORD))
                        .body());
        // Typed into the wrong field.
        said.add(
                new Browser(hub)
                        .post("/api/session", Map.of("username", PASSWORD, "password", "x"))
                        .body());
    }

    private void keys(DirectoryTestHub hub) {
        for (ApiKeyKind kind : ApiKeyKind.values()) {
            var newApiKey =
                    new ApiKeyStore.NewApiKey(kind, "label", Optional.empty(), Optional.empty());
            ApiKeyStore.IssuedKey issued =
                    hub.process.database.write(
                            tx -> hub.directory.keys().issue(tx, hub.local("default"), newApiKey));
            secrets.put(kind.name(), issued.secret());
        }
        said.add(
                new String(
                        hub.admin().get("/api/orgs/default/keys").json(), StandardCharsets.UTF_8));
    }

    /** Wrong secrets are secrets too: most are right somewhere else. */
    private void failures(DirectoryTestHub hub, TestProcess runner) {
        secrets.put("wrong key", "the-key-of-another-hub");
        secrets.put("wrong code", "ZZZZ-ZZZZ-ZZZZ-ZZZZ");
        secrets.put("wrong token", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.");
        secrets.put("wrong password", "the password of another site");
        runner.host.keys().left(hub.listener.url());
        tell(() -> hub.session(runner.host, Optional.of("the-key-of-another-hub")).token());
        tell(() -> hub.session(runner.host, Optional.empty()).enrol("ZZZZ-ZZZZ-ZZZZ-ZZZZ"));
        tell(() -> hub.as("eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.").get("/api/session"));
        tell(() -> hub.as("the-key-of-another-hub").get("/api/session"));
        Map<String, String> guess =
                Map.of("username", "ada", "password", "the password of another site");
        said.add(new Browser(hub).post("/api/session", guess).body());
        tell(() -> hub.nobody().post("/api/session", Map.of("password", PASSWORD)));
    }

    private void tell(Runnable call) {
        try {
            call.run();
            throw new AssertionError("not refused");
        } catch (SkepException refused) {
            said.add(refused.toString());
        }
    }

    /** Every file of both data dirs but the key files, which are for secrets. */
    private List<String> databases() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<String> texts = new ArrayList<>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.toString().endsWith(".key")) {
                    texts.add(Files.readString(file, StandardCharsets.ISO_8859_1));
                }
            }
            assertThat(texts).hasSizeGreaterThan(3);
            return texts;
        }
    }

    private static String excerpt(String text) {
        return text.substring(0, Math.min(300, text.length()));
    }
}
