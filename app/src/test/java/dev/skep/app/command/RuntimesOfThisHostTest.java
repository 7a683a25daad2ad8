package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host with one runtime installed, which is a script. */
class RuntimesOfThisHostTest {
    @TempDir Path home;
    private final Map<String, String> environment = new HashMap<>();
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();
    private Path agents = Path.of("");

    @BeforeEach
    void a_host_with_gemini() throws Exception {
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        agents = Files.createDirectories(home.resolve(".skep/agents"));
        Files.setPosixFilePermissions(
                home.resolve(".skep"), PosixFilePermissions.fromString("rwx------"));
        Path bin = Files.createDirectory(home.resolve("bin"));
        Files.writeString(
                bin.resolve("package.json"), "{\"name\": \"x\", \"version\": \"0.61.0\"}");
        Path program = Files.writeString(bin.resolve("gemini"), "#!/bin/bash\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        environment.put("PATH", bin + ":/usr/bin:/bin");
    }

    private int run(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Skep.run(TestContext.of(environment, home, out, err), arguments);
    }

    @Test
    void what_is_installed_is_listed_and_how_to_get_the_rest() {
        assertThat(run("runtimes")).isZero();
        assertThat(out.toString())
                .containsPattern(
                        "gemini +0.61.0 +google +metered, asks, resumes +" + home + "/bin/gemini")
                .containsPattern(
                        "codex +- +openai +.*there is no program codex-acp on this host; run: npm install -g @agentclientprotocol/codex-acp");
        assertThat(run("runtimes", "--json")).isZero();
        assertThat(Json.fields(out.toString()).list("runtimes"))
                .hasSize(5)
                .filteredOn(JsonFields.class::isInstance)
                .anyMatch(
                        row ->
                                row.text("name").equals("gemini")
                                        && row.flag("installed")
                                        && row.text("path").endsWith("/bin/gemini"))
                .anyMatch(
                        row ->
                                row.text("name").equals("pi")
                                        && !row.flag("installed")
                                        && row.text("missing").contains("npm install -g pi-acp"));
    }

    @Test
    void an_agent_is_made_for_what_is_here_and_refused_for_what_is_not() throws Exception {
        assertThat(run("agents", "new", "dora", "--runtime", "gemini")).isZero();
        assertThat(Files.readString(agents.resolve("dora.yaml")))
                .contains("\nruntime: gemini\n")
                .doesNotContain("\nmodel:");
        assertThat(run("agents", "new", "eve", "--runtime", "clod")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no runtime 'clod'; known are skep, claude");
        assertThat(run("agents", "new", "eve", "--runtime", "claude", "--model", "m")).isEqualTo(1);
        assertThat(err.toString())
                .contains(
                        "there is no program claude-agent-acp on this host; run: npm install -g @agentclientprotocol/claude-agent-acp");
        assertThat(run("agents", "new", "eve")).isEqualTo(1);
        assertThat(err.toString()).contains("model: is missing");
        assertThat(agents.resolve("eve.yaml")).doesNotExist();
    }

    @Test
    void what_a_file_says_of_its_runtime_that_cannot_hold_is_told_by_line() throws Exception {
        Files.writeString(agents.resolve("ann.yaml"), "prompt: hi\nruntime: clod\n");
        Files.writeString(
                agents.resolve("ben.yaml"),
                "prompt: hi\nruntime: gemini\nauth: login\nspend_limit: 1\n");
        Files.writeString(
                agents.resolve("cat.yaml"), "prompt: hi\nmodel: scripted:x\nauth: login\n");
        Files.writeString(agents.resolve("fay.yaml"), "prompt: hi\nruntime: gemini\n");
        assertThat(run("agents", "check")).isEqualTo(1);
        assertThat(out.toString())
                .contains("agents/ann.yaml:2:1: runtime: there is no runtime 'clod'")
                .contains("agents/ben.yaml:4:1: spend_limit: nothing holds it: with auth: login")
                .contains("agents/cat.yaml:3:1: auth: login is for another runtime than skep")
                .doesNotContain("fay");
    }

    @Test
    void the_doctor_says_which_promise_holds_for_which_agent() throws Exception {
        Files.writeString(agents.resolve("ann.yaml"), "prompt: hi\nruntime: codex\nmodel: m\n");
        Files.writeString(agents.resolve("ben.yaml"), "prompt: hi\nruntime: gemini\nauth: login\n");
        Files.writeString(
                agents.resolve("fay.yaml"), "prompt: hi\nruntime: gemini\nspend_limit: 1\n");
        run("doctor", "--listen", "127.0.0.1:0", "--registry-port", "none");
        assertThat(out.toString())
                .containsPattern(
                        "problem +runtime +ann: .*no program codex-acp on this host; run: npm")
                .containsPattern(
                        "warning +runtime +ben runs gemini, not metered: it uses the runtime's own sign-in")
                .containsPattern(
                        "ok +runtime +fay runs gemini; no call passes that its spend_limit does not cover");
    }

    @Test
    void a_sign_in_is_for_agents_whose_file_says_so() throws Exception {
        Files.writeString(agents.resolve("fay.yaml"), "prompt: hi\nruntime: gemini\n");
        assertThat(run("runtimes", "login", "gemini", "--agent", "nobody")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no agent 'nobody' on this host");
        assertThat(run("runtimes", "login", "clod", "--agent", "fay")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no runtime 'clod'");
        assertThat(run("runtimes", "login", "gemini", "--agent", "fay")).isEqualTo(1);
        assertThat(err.toString()).contains("does not say runtime: gemini and auth: login");
    }

    @Test
    void a_sign_in_runs_in_the_agents_own_home_and_its_status_is_the_commands() throws Exception {
        Files.writeString(
                home.resolve("bin/gemini"), "#!/bin/bash\necho $USER >~/signed-in\nexit 3\n");
        Files.writeString(agents.resolve("ben.yaml"), "prompt: hi\nruntime: gemini\nauth: login\n");
        assertThat(run("runtimes", "login", "gemini", "--agent", "ben")).isEqualTo(3);
        Path own = home.resolve(".skep/work/.runtimes/ben");
        assertThat(own.resolve("signed-in")).hasContent("ben");
        assertThat(own.resolve(".gemini/settings.json")).content().contains("oauth-personal");
    }
}
