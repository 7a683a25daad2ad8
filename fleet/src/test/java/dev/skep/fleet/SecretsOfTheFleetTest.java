package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.Main;
import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.directory.secret.SecretDigest;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.JavaCommand;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Secrets that are set at a hub by command, and the agent that uses one. */
@Timeout(180)
class SecretsOfTheFleetTest {
    private static final String SECRETS = "/api/orgs/default/secrets";
    private static final String FIRST = "correct-horse-battery-1";
    private static final String SECOND = "staple-another-horse-22";

    @TempDir Path folder;
    private final Lifecycle lifecycle = new Lifecycle();
    private Path data = Path.of("");
    private String url = "";
    private @Nullable HttpVisitor local;

    @BeforeEach
    void open() throws Exception {
        data = Files.createDirectories(folder.resolve("data"));
        Path agents = Files.createDirectories(data.resolve("agents"));
        Files.writeString(
                agents.resolve("eve.yaml"),
                """
                prompt: Use it.
                model: scripted:eve.script.yaml
                auto_start: false
                secrets: [DEPLOY_TOKEN]
                env: { GIVEN: "${secret.DEPLOY_TOKEN}", OTHER: "${secret.OTHER_TOKEN}" }
                """);
        Files.writeString(
                agents.resolve("eve.script.yaml"),
                """
                steps:
                  - when: { turn: 0 }
                    run:
                      - 'echo "plain $GIVEN"'
                      - 'echo "sum $(printf %s "$GIVEN" | sha256sum) of $OTHER"'
                  - run: [session wait]
                """);
        Assembly.Opened product =
                new Assembly(TestSettings.up(data), lifecycle, data, "test")
                        .open(Composition.UP, Terminal.none());
        url = product.url();
        local = HttpVisitor.local(url, data);
        Eventually.holds("eve is known at the hub", () -> !eve().isEmpty());
        Eventually.holds(
                "the host said what it allows", () -> host().textList("allows").contains("agents"));
    }

    @AfterEach
    void close() {
        lifecycle.close();
    }

    private HttpVisitor admin() {
        return Optional.ofNullable(local).orElseThrow();
    }

    /** The one that eve is on; the hub is a host too. */
    private JsonFields host() throws Exception {
        String of = ofEve("host");
        return Json.fields(admin().get("/api/orgs/default/hosts").body()).list("hosts").stream()
                .filter(host -> host.shown("id").equals(of))
                .findFirst()
                .orElseGet(() -> Json.fields("{}"));
    }

    private String eve() throws Exception {
        return ofEve("id");
    }

    private String ofEve(String field) throws Exception {
        return Json.fields(admin().get("/api/orgs/default/view/agents").body())
                .list("rows")
                .stream()
                .filter(agent -> agent.shown("username").equals("eve"))
                .map(agent -> agent.shown(field))
                .findFirst()
                .orElse("");
    }

    /** What the command says, with its status in front. */
    private String secrets(String input, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("secrets"));
        command.addAll(List.of(words));
        command.addAll(List.of("--data-dir", data.toString()));
        Process process =
                JavaCommand.process(Main.class, command.toArray(String[]::new))
                        .redirectErrorStream(true)
                        .start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + said;
    }

    private String state(String name) throws Exception {
        return states(name).stream().map(host -> host.shown("state")).toList().toString();
    }

    private List<JsonFields> states(String name) throws Exception {
        return Json.fields(admin().get(SECRETS).body()).list("secrets").stream()
                .filter(secret -> secret.shown("name").equals(name))
                .flatMap(secret -> secret.list("hosts").stream())
                .toList();
    }

    /** Starts eve anew and waits for what she prints. */
    private void eveUses(String value) throws Exception {
        String path = "/api/orgs/default/agents/" + eve();
        admin().post(path + "/start", Map.of());
        String sum = "sum " + SecretDigest.sha256(value);
        Eventually.holds("eve used it", () -> log().contains(sum));
        admin().post(path + "/stop", Map.of());
        Eventually.holds("eve stopped", () -> status().equals("stopped"));
    }

    private String status() throws Exception {
        String answer = admin().get("/api/orgs/default/view/agents/" + eve()).body();
        return Json.fields(answer).object("agent").orElseThrow().shown("status");
    }

    private String log() throws Exception {
        return admin().get("/api/orgs/default/view/history/log?agent=" + eve()).body();
    }

    @Test
    void a_secret_reaches_the_agents_that_list_it_and_nothing_else() throws Exception {
        String name = host().shown("name");
        assertThat(secrets(FIRST + "\n", "set", "DEPLOY_TOKEN", "--host", name))
                .startsWith("0 ")
                .contains("DEPLOY_TOKEN is sealed for " + name, "has the fingerprint")
                .doesNotContain(FIRST);
        Eventually.holds("it arrived", () -> state("DEPLOY_TOKEN").equals("[succeeded]"));
        secrets(FIRST + "\n", "set", "OTHER_TOKEN", "--host", name);
        Eventually.holds("the other arrived", () -> state("OTHER_TOKEN").equals("[succeeded]"));
        eveUses(FIRST);
        // Not listed in her file, so it stays as it is written.
        assertThat(log()).contains("plain [redacted]", "${secret.OTHER_TOKEN}");

        assertThat(secrets(SECOND, "set", "DEPLOY_TOKEN")).startsWith("0 ");
        Eventually.holds(
                "the new one is there",
                () -> state("DEPLOY_TOKEN").equals("[succeeded]") && kept().contains(SECOND));
        eveUses(SECOND);
        assertThat(secrets("", "list")).contains("DEPLOY_TOKEN", name, "succeeded");

        assertThat(secrets("", "remove", "DEPLOY_TOKEN")).startsWith("0 ");
        Eventually.holds("it is gone", () -> !kept().contains(SECOND));
        eveUses("${secret.DEPLOY_TOKEN}");
        assertThat(secrets("", "list")).doesNotContain("DEPLOY_TOKEN");

        String audit = admin().get("/api/orgs/default/audit").body();
        assertThat(audit).contains("secret_set", "secret_removed", "secret:DEPLOY_TOKEN");
        lifecycle.close();
        for (String value : List.of(FIRST, SECOND)) {
            assertThat(filesWith(value))
                    .as(value)
                    .isSubsetOf(List.of(data.resolve("agent-secrets")));
        }
    }

    private String kept() throws IOException {
        return Files.readString(data.resolve("agent-secrets"));
    }

    private List<Path> filesWith(String value) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                if (text.contains(value)) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    @Test
    void a_host_that_gets_the_label_later_is_shown_as_not_sealed_yet() throws Exception {
        String id = host().shown("id");
        assertThat(secrets(FIRST, "set", "DEPLOY_TOKEN", "--label", "env:prod"))
                .doesNotStartWith("0 ")
                .contains("there is no host to seal it for");
        admin().change("/api/orgs/default/hosts/" + id, Map.of("labels", Map.of("env", "prod")));
        assertThat(secrets(FIRST, "set", "DEPLOY_TOKEN", "--label", "env:prod")).startsWith("0 ");
        Eventually.holds("it arrived", () -> state("DEPLOY_TOKEN").equals("[succeeded]"));

        try (RunnerNode late = RunnerNode.open(folder.resolve("late"), "late", url)) {
            String path = "/api/orgs/default/hosts/" + late.id();
            Map<String, Object> labels = Map.of("labels", Map.of("env", "prod"));
            Eventually.holds(
                    "the hub knows the other host",
                    () -> admin().answer("PATCH", path, labels).startsWith("200 "));
            assertThat(
                            states("DEPLOY_TOKEN").stream()
                                    .filter(host -> host.shown("hostId").equals(late.id()))
                                    .map(host -> host.shown("state")))
                    .containsExactly("not sealed yet");
            assertThat(secrets(SECOND, "set", "DEPLOY_TOKEN")).startsWith("0 ").contains("late");
            assertThat(state("DEPLOY_TOKEN")).doesNotContain("not sealed yet");
        }
    }

    @Test
    void what_does_not_fit_changes_nothing() throws Exception {
        String name = host().shown("name");
        assertThat(
                        secrets(
                                FIRST,
                                "set",
                                "DEPLOY_TOKEN",
                                "--host",
                                name,
                                "--fingerprint",
                                "0000-0000-0000-0000-0000-0000-0000-0000"))
                .doesNotStartWith("0 ")
                .contains("which is none of those given", "skep hosts self");
        assertThat(secrets(FIRST, "set", "deploy-token", "--host", name)).contains("capital");
        assertThat(secrets("short", "set", "DEPLOY_TOKEN", "--host", name)).contains("at least 6");
        assertThat(secrets(FIRST, "set", "DEPLOY_TOKEN")).contains("is for no host yet");
        assertThat(secrets(FIRST, "set", "DEPLOY_TOKEN", "--host", "nobody")).contains("no host");
        assertThat(secrets("", "remove", "DEPLOY_TOKEN")).contains("no secret DEPLOY_TOKEN");
        assertThat(Json.fields(admin().get(SECRETS).body()).list("secrets")).isEmpty();

        String self = SkepCommand.run("hosts", "self", "--data-dir", data.toString()).said();
        String fingerprint = self.replaceFirst("(?s).*fingerprint +(\\S+).*", "$1");
        assertThat(
                        secrets(
                                FIRST,
                                "set",
                                "DEPLOY_TOKEN",
                                "--host",
                                name,
                                "--fingerprint",
                                fingerprint))
                .as(self)
                .startsWith("0 ");
    }

    @Test
    void a_value_that_is_not_sealed_is_refused_and_stored_nowhere() throws Exception {
        String id = host().shown("id");
        String path = SECRETS + "/DEPLOY_TOKEN";
        long version =
                Json.fields(admin().get(path + "/recipients?targets=host:" + id).body())
                        .number("version");
        assertThat(
                        admin().answer(
                                        "PUT",
                                        path,
                                        Map.of(
                                                "version",
                                                version,
                                                "targets",
                                                List.of("host:" + id),
                                                "sealed",
                                                Map.of(id, FIRST))))
                .startsWith("400 ")
                .contains("sealed");
        lifecycle.close();
        assertThat(filesWith(FIRST)).isEmpty();
    }
}
