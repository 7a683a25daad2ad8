package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.admin.AdminFile;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Setting;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.testkit.Eventually;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hub with its runner at home, and somebody with a laptop that has neither. */
class CommandsFromALaptopTest {
    private static final String PASSWORD = "correct horse battery";

    @TempDir Path home;
    @TempDir Path laptop;
    private final Lifecycle lifecycle = new Lifecycle();
    private String out = "";
    private String err = "";
    private String url = "";

    @BeforeEach
    void up() {
        SettingFlags flags = new SettingFlags();
        flags.give(Setting.LISTEN, "127.0.0.1:0");
        flags.give(Setting.REGISTRY_PORT, "none");
        flags.give(Setting.HOSTNAME, "box");
        var _ =
                new Assembly(
                                context(home, Map.of(), new StringWriter(), new StringWriter())
                                        .configuration(flags),
                                lifecycle,
                                home,
                                "test")
                        .open(Composition.run(true, true), Terminal.none());
        url = AdminFile.read(home.resolve(".skep")).orElseThrow().url();
        assertThat(there("operators", "add", "ada", "--role", "admin")).isZero();
        String link = out.strip();
        assertThat(here(Map.of("SKEP_SIGN_IN_LINK", link), "login", url, "--link", "--name", "hq"))
                .isZero();
        assertThat(out).contains("signed in at " + url + " as ada, org default");
        assertThat(out + err).doesNotContain("skep_session_");
        Eventually.holds("the host is there", () -> there("hosts") == 0 && out.contains("box"));
    }

    @AfterEach
    void close() {
        lifecycle.close();
    }

    @Test
    void lists_are_those_of_the_machine() {
        Eventually.holds(
                "the hub has the agents",
                () -> here("--hub", "hq", "agents") == 0 && out.contains("bob"));
        for (String list :
                List.of("hosts", "operators", "jobs", "servers", "nodes", "keys", "conflicts")) {
            same(list);
        }
        assertThat(here("--hub", "hq", "agents")).isZero();
        assertThat(out.lines().findFirst().orElseThrow())
                .containsPattern("AGENT +STATUS +HOST +RUNTIME +LEAD +LEFT +TITLE +NOTE");
        assertThat(out).containsPattern("alice +\\S+ +box +");
        Eventually.holds(
                "the hub has the log",
                () ->
                        here("--hub", "hq", "logs", "alice", "--limit", "1000") == 0
                                && out.contains("alice"));
        for (String[] list :
                List.of(
                        new String[] {"costs", "--by", "model"},
                        new String[] {"approvals", "--all"},
                        new String[] {"sessions"},
                        new String[] {"mail"})) {
            assertThat(there(list)).isZero();
            String head = out.lines().findFirst().orElse("");
            assertThat(here(Map.of("SKEP_HUB", "hq"), list)).as(list[0]).isZero();
            assertThat(out.lines().findFirst().orElse("").split(" +"))
                    .as(list[0])
                    .isEqualTo(head.split(" +"));
        }
    }

    @Test
    void agents_are_steered_and_written_to() {
        Eventually.holds(
                "the hub has the agents",
                () -> here("--hub", "hq", "agents") == 0 && out.contains("bob"));
        Eventually.holds(
                "the link is up", () -> here("--hub", "hq", "agents", "pause", "bob") == 0);
        assertThat(out).contains("bob is paused");
        assertThat(here("--hub", "hq", "agents", "talk", "nobody", "hello")).isEqualTo(1);
        assertThat(err).contains("there is no agent 'nobody'");
        assertThat(here("--hub", "hq", "mail", "send", "alice", "Hi", "from the laptop")).isZero();
        Eventually.holds(
                "it is in the box",
                () -> here("--hub", "hq", "mail", "alice") == 0 && out.contains("from the laptop"));
        assertThat(here("--hub", "hq", "mail", "alice", "--search", "the laptop")).isZero();
        assertThat(out).containsPattern("ada +alice +Hi");
        assertThat(here("--hub", "hq", "agents", "resume", "bob", "--json")).isZero();
        assertThat(out).startsWith("{\"message\":");
    }

    @Test
    void what_is_about_one_machine_says_so() {
        for (String command : List.of("doctor", "backup", "config", "orgs", "up")) {
            assertThat(here("--hub", "hq", command)).as(command).isEqualTo(2);
            assertThat(err).contains("'skep %s' is about this machine".formatted(command));
        }
        assertThat(here("--hub", "hq", "agents", "reload")).isEqualTo(2);
        assertThat(err).contains("this is about one machine; run it there");
        assertThat(here("--hub", "hq", "hosts", "self")).isEqualTo(2);
        assertThat(here("--hub", "nowhere", "hosts")).isEqualTo(1);
        assertThat(err).contains("there is no profile nowhere").contains("skep login");
    }

    @Test
    void a_profile_is_the_owners_alone_and_logging_out_ends_it_at_the_hub() throws Exception {
        Path profile = laptop.resolve(".config/skep/profiles/hq.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(profile)))
                .isEqualTo("rw-------");
        assertThat(here("profiles")).isZero();
        assertThat(out).containsPattern("hq +" + url + " +default +ada +a sign-in");
        assertThat(out).doesNotContain("skep_session_");
        assertThat(here("profiles", "--json")).isZero();
        assertThat(out).contains("\"way\":\"session\"").doesNotContain("skep_session_");
        assertThat(there("operators", "sign-ins", "ada")).isZero();
        assertThat(out).contains("skep login");

        assertThat(here("logout")).isZero();
        assertThat(profile).doesNotExist();
        assertThat(there("operators", "sign-ins", "ada")).isZero();
        assertThat(out).doesNotContain("skep login");
        assertThat(here("--hub", "hq", "hosts")).isEqualTo(1);
    }

    @Test
    void passwords_and_keys_open_it_too_and_a_lost_sign_in_says_how_to_return() {
        Map<String, String> next = Map.of("SKEP_PASSWORD", PASSWORD);
        assertThat(here(next, "--hub", "hq", "operators", "password", "ada")).isZero();
        assertThat(here("--hub", "hq", "operators")).isZero();
        assertThat(here(next, "login", url, "--user", "ada", "--name", "again")).isZero();
        assertThat(here("--hub", "again", "hosts")).isZero();

        assertThat(
                        there(
                                Map.of("SKEP_PASSWORD", "set on the machine"),
                                "operators",
                                "password",
                                "ada"))
                .isZero();
        assertThat(here("--hub", "again", "hosts")).isEqualTo(1);
        assertThat(err).contains("you are signed out at " + url).contains("--name again");
        assertThat(here(next, "login", url, "--user", "ada", "--name", "again")).isEqualTo(1);
        assertThat(err).contains("[wrong_password]");

        assertThat(there("keys", "issue", "api", "--operator", "ada", "--json")).isZero();
        String key = out.replaceAll("(?s).*\"secret\":\"([^\"]+)\".*", "$1");
        assertThat(here(Map.of("SKEP_API_KEY", key), "login", url, "--key", "--name", "bot"))
                .isZero();
        assertThat(here("--hub", "bot", "operators")).isZero();
        assertThat(here("logout", "bot")).isZero();
        assertThat(err).contains("the API key goes on");
    }

    private void same(String list) {
        assertThat(there(list)).as(list).isZero();
        String expected = words(out);
        assertThat(here("--hub", "hq", list)).as(list).isZero();
        assertThat(words(out)).as(list).isEqualTo(expected);
    }

    /** Without the widths of columns and the order of rows. */
    private static String words(String text) {
        return text.lines()
                .map(line -> line.strip().replaceAll(" +", " "))
                .sorted()
                .reduce("", (a, b) -> a + "\n" + b);
    }

    private int there(String... arguments) {
        return there(Map.of(), arguments);
    }

    private int there(Map<String, String> environment, String... arguments) {
        return run(home, environment, arguments);
    }

    private int here(String... arguments) {
        return here(Map.of(), arguments);
    }

    private int here(Map<String, String> environment, String... arguments) {
        return run(laptop, environment, arguments);
    }

    private int run(Path where, Map<String, String> environment, String... arguments) {
        var printed = new StringWriter();
        var errors = new StringWriter();
        int status = Program.run(context(where, environment, printed, errors), arguments);
        out = printed.toString();
        err = errors.toString();
        return status;
    }

    private static dev.skep.cli.command.CommandContext context(
            Path where, Map<String, String> more, StringWriter printed, StringWriter errors) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("PATH", System.getenv("PATH"));
        return TestContext.of(environment, where, printed, errors);
    }
}
