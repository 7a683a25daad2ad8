package dev.skep.runner.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.shell.BashShells;
import dev.skep.shell.Isolation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a shell script in the place of each program, which prints what it was given. */
final class StartingRuntimesTest {
    private static final GatewayAccess GATEWAY =
            new GatewayAccess("http://127.0.0.1:4711", "token-of-alice");
    private static final RuntimeModel MODEL = new RuntimeModel("m-1/x", 200_000, 8_000);

    @TempDir Path temporary = Path.of("");
    private Path data = Path.of("");
    private Path bin = Path.of("");

    @BeforeEach
    void a_host() throws Exception {
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
        data = Files.createDirectory(temporary.resolve("data"));
        bin = Files.createDirectory(temporary.resolve("bin"));
        Files.writeString(data.resolve(".env"), "KEY=top-secret");
    }

    private Path program(String name, String script) throws Exception {
        Path program = Files.writeString(bin.resolve(name), "#!/bin/bash\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    private BashShells shells() {
        return BashShells.isolated(System.getenv(), new SecureRandom());
    }

    private RuntimeLauncher launcher() {
        return new RuntimeLauncher(
                shells().programs(), bin + ":" + System.getenv("PATH"), data, new SecureRandom());
    }

    private RuntimeDefinition runtime(String name) {
        return RuntimeTable.read(data).find(name).orElseThrow();
    }

    private RuntimeLaunchSpec launch(
            String runtime,
            @Nullable GatewayAccess gateway,
            @Nullable RuntimeModel model,
            boolean asking) {
        Path own = data.resolve("work/alice");
        return new RuntimeLaunchSpec(
                runtime(runtime),
                "alice",
                own,
                own,
                Map.of("OWN", "of the file", "NO_PROXY", "intranet", "ANTHROPIC_BASE_URL", "else"),
                gateway,
                model,
                asking,
                List.of());
    }

    private String said(RuntimeLaunchSpec launch) throws Exception {
        try (RuntimeProcess process = launcher().start(launch)) {
            return new String(process.output().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"claude", "codex", "gemini", "opencode", "pi"})
    void each_of_the_five_is_pointed_at_the_gateway_and_told_its_model(String name)
            throws Exception {
        program(
                runtime(name).command().getFirst(),
                "echo \"args $*\"; env; find ~ -type f -exec cat {} +; cat "
                        + data.resolve(".env"));
        String wire = runtime(name).wire().word();
        String said = said(launch(name, GATEWAY, MODEL, true));
        assertThat(said)
                .contains("http://127.0.0.1:4711/gateway/" + wire)
                .contains("token-of-alice", "m-1/x", "OWN=of the file")
                .contains("NO_PROXY=intranet,127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost")
                .contains("HOME=" + data + "/work/.runtimes/alice\n")
                .contains(
                        "args "
                                + String.join(
                                        " ",
                                        runtime(name)
                                                .command()
                                                .subList(1, runtime(name).command().size())))
                .doesNotContain("${gateway", "${model", "${permission", "${tools");
        assumeTrue(shells().strongest().walled(), "nothing hides the data dir here");
        assertThat(said).doesNotContain("top-secret");
    }

    @Test
    void with_a_sign_in_of_its_own_there_is_no_gateway() throws Exception {
        program("claude-agent-acp", "env");
        assertThat(said(launch("claude", null, null, true)))
                .contains("ANTHROPIC_BASE_URL=else")
                .doesNotContain("127.0.0.1:4711", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_MODEL");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void opencode_is_told_whether_to_ask_in_its_file(boolean asking) throws Exception {
        program("opencode", "cat ~/.config/opencode/opencode.json");
        assertThat(said(launch("opencode", GATEWAY, MODEL, asking)))
                .contains("\"edit\": \"" + (asking ? "ask" : "allow") + "\"")
                .contains("\"limit\": {\"context\": 200000, \"output\": 8000}");
    }

    @Test
    void one_that_has_to_be_told_a_model_does_not_start_without() throws Exception {
        program("opencode", "echo started");
        assertThatThrownBy(() -> said(launch("opencode", GATEWAY, null, true)))
                .isInstanceOf(RuntimeStartException.class)
                .hasMessage("runtime opencode of alice needs a model; add model: to its file");
    }

    @Test
    void a_missing_program_is_told_with_how_to_get_it() {
        var nowhere =
                new RuntimeLauncher(shells().programs(), bin.toString(), data, new SecureRandom());
        assertThatThrownBy(() -> nowhere.start(launch("gemini", GATEWAY, MODEL, true)))
                .isInstanceOf(RuntimeStartException.class)
                .hasMessage(
                        "runtime gemini: there is no program gemini on this host; run: npm install -g @google/gemini-cli");
    }

    @Test
    void a_program_that_the_agents_user_may_not_reach_is_told() throws Exception {
        assumeTrue(shells().strongest() instanceof Isolation.OwnUser, "agents have no users here");
        Path program = program("gemini", "echo started");
        Path closed = Files.createDirectory(temporary.resolve("closed"));
        Files.move(program, closed.resolve("gemini"));
        Files.createSymbolicLink(program, closed.resolve("gemini"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        assertThatThrownBy(() -> launcher().start(launch("gemini", GATEWAY, MODEL, true)))
                .isInstanceOf(RuntimeStartException.class)
                .hasMessageContaining(closed + " is closed to them");
    }

    @Test
    void why_it_died_is_in_what_it_printed() throws Exception {
        program("gemini", "echo 'cannot find module' >&2; exit 1");
        try (RuntimeProcess process = launcher().start(launch("gemini", GATEWAY, MODEL, true))) {
            process.ended().join();
            assertThat(process.exitStatus()).hasValue(1);
            assertThat(process.lastErrors()).isEqualTo("cannot find module");
        }
    }

    @Test
    void nothing_secret_is_in_what_is_printed_of_a_launch() {
        assertThat(launch("claude", GATEWAY, MODEL, true).toString())
                .doesNotContain("token-of-alice");
    }

    @Test
    void what_is_installed_is_listed_with_its_version() throws Exception {
        Path packages = Files.createDirectories(temporary.resolve("lib/gemini-cli/bundle"));
        Files.writeString(
                temporary.resolve("lib/gemini-cli/package.json"),
                "{\"name\": \"@google/gemini-cli\", \"version\": \"0.61.0\"}");
        Path script = Files.move(program("gemini", ""), packages.resolve("gemini.js"));
        Files.createSymbolicLink(bin.resolve("gemini"), script);
        program("pi-acp", "");
        Files.writeString(
                data.resolve(RuntimeTable.FILE),
                """
                runtimes:
                  - name: goose
                    command: [goose, acp]
                    install: pipx install goose
                    wire: none
                    version: [goose, --version]
                """);
        program("goose", "echo \"1.2.3 $1\"; sleep 60");
        var inventory = new RuntimeInventory(data, bin.toString(), shells().programs());
        assertThat(inventory.all())
                .extracting(
                        each -> each.definition().name(),
                        RuntimeInventory.Entry::isInstalled,
                        RuntimeInventory.Entry::version)
                .contains(
                        org.assertj.core.api.Assertions.tuple("gemini", true, "0.61.0"),
                        org.assertj.core.api.Assertions.tuple("pi", true, ""),
                        org.assertj.core.api.Assertions.tuple("codex", false, ""),
                        org.assertj.core.api.Assertions.tuple("goose", true, "1.2.3 --version"));
    }
}
