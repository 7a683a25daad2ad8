package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.StoppedProcess;
import dev.skep.cli.command.CommandContext;
import dev.skep.kernel.error.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
    @TempDir Path home;
    final Map<String, String> environment = new HashMap<>();
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();

    @Test
    void config_shows_each_setting_its_value_and_where_it_came_from() {
        environment.put("HUB_ACCESS_KEY", "hush");

        int status = run("config", "--listen", "127.0.0.1:5000");

        assertThat(status).isZero();
        assertThat(out.toString())
                .containsPattern("SKEP_LISTEN +127.0.0.1:5000 +flag --listen")
                .containsPattern("SKEP_HUB_ACCESS_KEY +\\*+ +environment HUB_ACCESS_KEY")
                .containsPattern("SKEP_HUB_URLS +\\(not set\\) +default")
                .doesNotContain("hush");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void a_mistyped_command_is_one_line_with_a_suggestion() {
        assertThat(run("confg")).isEqualTo(ExitStatus.USAGE.status());
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("skep: ")
                .contains("did you mean config")
                .endsWith("? [bad_request]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "export all | there is no command 'skep export'; see skep --help",
                "agents nosuch | there is no command 'skep agents nosuch'; see skep agents --help",
                "up now | 'now' is one word too many; see skep up --help",
                "mail alice bob | 'bob' is one word too many; see skep mail --help",
                "logs --limit x | '--limit': 'x' is not a whole number; see skep logs --help",
                "jobs --status dead | '--status': 'dead' is none of pending, running, succeeded,",
                "keys issue api | an api key speaks for an operator; name one with --operator",
                "keys issue agent | an agent key speaks for an agent; name it with --agent",
                "enrol hub:4280 | \"hub:4280\" is not the address of a hub; write for example https://",
                "enrol nonsense | \"nonsense\" is not the address of a hub; write for example https://",
            })
    void what_cannot_be_meant_is_one_line_with_the_fix(String line, String told) {
        assertThat(run(line.split(" "))).isEqualTo(ExitStatus.USAGE.status());
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains(told)
                .endsWith("[bad_request]");
    }

    @Test
    void a_wrong_flag_is_one_line_that_names_the_help() {
        assertThat(run("up", "--zzz")).isEqualTo(ExitStatus.USAGE.status());
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains("see skep up --help");
    }

    @Test
    void a_port_that_cannot_be_is_refused_before_the_demo_starts_anything() {
        assertThat(run("demo", "--port", "99999")).isEqualTo(ExitStatus.USAGE.status());
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("skep: --port is 99999; use a port up to 65535");
    }

    @Test
    void no_command_shows_the_help_on_standard_error() {
        assertThat(run()).isEqualTo(ExitStatus.USAGE.status());
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("Usage: skep").contains("Exit statuses:");
    }

    @Test
    void help_goes_to_standard_output_and_hides_what_is_for_the_launcher() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("config").doesNotContain("train");
    }

    @Test
    void an_unexpected_failure_is_one_line_and_its_trace_a_file() throws IOException {
        CommandContext context = context();
        context.knownDataDir().set(home.resolve("data"));

        int status = new ErrorPrinter(context).unexpected(new IllegalStateException("odd\nthing"));

        Path log = home.resolve("data/logs/failures.log");
        assertThat(status).isEqualTo(ExitStatus.FAILURE.status());
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains("IllegalStateException: odd")
                .contains(log.toString())
                .endsWith("[internal]");
        assertThat(Files.readString(log))
                .startsWith("2026-01-01T00:00:00Z java.lang.IllegalStateException")
                .contains("at dev.skep");
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "g1"})
    void training_leaves_no_trace_in_the_users_folders(String profile) throws IOException {
        environment.put("HUB_URLS", "nonsense");
        Path scratch = Files.createDirectory(home.resolve("scratch"));

        assertThat(run("train", scratch.toString(), profile)).isZero();
        assertThat(home.resolve(".skep")).doesNotExist();
        assertThat(out.toString() + err).isEmpty();
    }

    private int run(String... arguments) {
        return Program.run(context(), arguments);
    }

    private CommandContext context() {
        return new CommandContext(
                environment,
                home,
                home,
                InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                StoppedProcess::open,
                new AtomicReference<>());
    }
}
