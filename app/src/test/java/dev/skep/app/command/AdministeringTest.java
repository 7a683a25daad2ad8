package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.admin.AdminFile;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Setting;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.testkit.Eventually;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdministeringTest {
    private static final String ORG = "/api/orgs/default";

    @TempDir Path home;
    private String err = "";

    @Test
    void commands_work_with_and_without_a_running_process() throws Exception {
        assertThat(run("operators", "add", "ada", "--role", "admin"))
                .contains("/sign-in#skep_signin_");
        try (var lifecycle = new Lifecycle()) {
            List<String> told = up(lifecycle);
            assertThat(told).anyMatch(line -> line.matches("listening on http://127.0.0.1:\\d+"));
            assertThat(told).anyMatch(line -> line.contains("/sign-in#skep_signin_"));
            assertThat(home.resolve(".skep/admin")).exists();

            assertThat(run("operators", "list")).contains("ada").contains("admin");
            assertThat(run("operators", "disable", "ada")).contains("ada is disabled");
            assertThat(run("operators", "list", "--json")).startsWith("{\"operators\":");
            assertThat(run("hosts", "pair")).contains("skep enrol http://127.0.0.1:");
            assertThat(err)
                    .contains("only this machine reaches http://127.0.0.1:")
                    .contains("SKEP_LISTEN")
                    .contains("SKEP_PUBLIC_URL")
                    .hasLineCount(1);
            assertThat(run("hosts", "self")).contains("runner");
            assertThat(run("orgs", "add", "acme")).contains("--org acme");
            assertThat(run("keys", "issue", "join", "--org", "acme")).startsWith("skep_join_");
            Eventually.holds(
                    "the command says so",
                    () ->
                            run("keys", "issue", "agent", "--agent", "alice")
                                    .startsWith("skep_agent_"));
            assertThat(run("keys", "issue", "agent", "--agent", "alice", "--org", "acme"))
                    .isEmpty();
            assertThat(err).contains("there is no agent alice");
        }
        assertThat(home.resolve(".skep/admin")).doesNotExist();
        assertThat(run("operators", "list")).contains("ada");
        assertThat(run("orgs", "list")).contains("acme");
        assertThat(run("adopt", "alice", "--to", "elsewhere")).isEmpty();
        assertThat(err).contains("no hub is running here").contains("[hub_unreachable]");
        assertThat(run("audit", "--action", "operator_disabled"))
                .contains("local")
                .contains("operator:");
        assertThat(run("audit", "export").lines())
                .allMatch(line -> line.startsWith("{") && line.endsWith("}"))
                .hasSizeGreaterThan(2);
    }

    @Test
    void a_process_that_was_killed_leaves_a_file_that_does_no_harm() throws Exception {
        run("operators", "list");
        Path file = home.resolve(".skep/admin");
        Files.writeString(file, "http://127.0.0.1:9\nskep_admin_old\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(run("orgs", "list")).contains("default");
    }

    @Test
    void a_runner_enrols_with_a_hub_by_the_command_the_hub_prints(@TempDir Path other)
            throws Exception {
        try (var lifecycle = new Lifecycle()) {
            open(home, Composition.hubOnly(false), lifecycle);
            String[] printed = run("hosts", "pair").strip().split(" ");
            assertThat(printed).startsWith("skep", "enrol");
            String url = printed[2];
            assertThat(runIn(other, Arrays.copyOfRange(printed, 1, printed.length)))
                    .contains("enrolled with " + url);
            assertThat(runIn(other, "hosts", "self")).contains(url).contains("runner");
            try (var runner = new Lifecycle()) {
                open(other, Composition.run(false, false), runner);
                Eventually.holds(
                        "the command says so",
                        () -> run("hosts").lines().skip(1).allMatch(l -> l.contains("true")));
            }
            assertThat(runIn(other, "enrol", url, "--code", "AAAA-AAAA-AAAA-AAAA")).isEmpty();
            assertThat(err).contains("[pairing_code_unknown]");
            assertThat(runIn(other, "enrol", url, "--leave", "--allow", "none")).isEmpty();
            assertThat(err).contains("--allow does nothing with --leave");
            assertThat(runIn(other, "enrol", url, "--leave")).contains("left");
            assertThat(runIn(other, "enrol", url, "--leave")).isEmpty();
            assertThat(err).contains("this host is in no hub at " + url);
        }
    }

    @Test
    void a_host_says_what_its_hub_may_do_and_the_hub_shows_it(@TempDir Path other)
            throws Exception {
        try (var lifecycle = new Lifecycle()) {
            open(home, Composition.hubOnly(false), lifecycle);
            String[] printed = run("hosts", "pair").strip().split(" ", -1);
            String url = printed[2];
            assertThat(runIn(other, "enrol", url, "--code", printed[4], "--allow", "fly"))
                    .isEmpty();
            assertThat(err).contains("'fly' is nothing a host can allow", "steer,agents,jobs,exec");
            assertThat(runIn(other, "enrol", url, "--code", printed[4], "--allow", "")).isEmpty();
            assertThat(err).contains("'' is nothing a host can allow", "steer,agents,jobs,exec");
            // The code is not spent.
            assertThat(runIn(other, "enrol", url, "--code", printed[4], "--allow", "jobs,steer"))
                    .contains("enrolled with " + url + ", which may: steer,jobs");
            assertThat(runIn(other, "allow")).contains(url).contains("steer,jobs");
            assertThat(runIn(other, "allow", url, "jobs, agents,jobs"))
                    .contains("may now: agents,jobs");
            assertThat(runIn(other, "allow", url, "none")).contains("may now: none");
            assertThat(runIn(other, "allow", "--json")).contains("\"allows\":[]");
            // Enrolled again without a word, what was decided stays.
            String[] again = run("hosts", "pair").strip().split(" ", -1);
            assertThat(runIn(other, Arrays.copyOfRange(again, 1, again.length)))
                    .contains("which may: nothing");
            try (var runner = new Lifecycle()) {
                open(other, Composition.run(false, false), runner);
                Eventually.holds("the command says so", () -> run("hosts").contains("none"));
                assertThat(runIn(other, "allow", url, "agents")).contains("may now: agents");
                Eventually.holds(
                        "the command says so",
                        () -> run("hosts", "--json").contains("\"allows\":[\"agents\"]"));
                assertThat(runIn(other, "doctor")).contains(url).contains("enrolled, may: agents");
            }
            assertThat(runIn(other, "allow", "http://127.0.0.1:9", "steer")).isEmpty();
            assertThat(err).contains("this host is in no hub at http://127.0.0.1:9");
            assertThat(runIn(other, "allow", url)).isEmpty();
            assertThat(err).contains("say what " + url + " may do");
        }
    }

    @Test
    void commands_pages_and_the_api_call_a_host_the_same_also_where_two_chose_one_name(
            @TempDir Path other) {
        try (var lifecycle = new Lifecycle();
                var second = new Lifecycle()) {
            open(home, Composition.UP, called("box"), lifecycle);
            Eventually.holds("the command says so", () -> run("hosts").contains("box"));
            String[] printed = run("hosts", "pair").strip().split(" ", -1);
            runIn(other, Arrays.copyOfRange(printed, 1, printed.length));
            open(other, Composition.run(false, false), called("box"), second);
            try (HttpApiClient api = api()) {
                String own = id(run("hosts", "self"));
                String late = id(runIn(other, "hosts", "self"));
                String told = "box~" + late.substring(late.length() - 4);
                Eventually.holds(
                        "the command says so",
                        () -> names(api).stream().allMatch(List.of("box", told)::equals));

                api.call(HttpMethod.PATCH, ORG + "/hosts/" + own, Map.of("name", "orchard"));
                Eventually.holds(
                        "the command says so",
                        () -> names(api).stream().allMatch(List.of(told, "orchard")::equals));
                run("jobs", "run", "--detach", "orchard", "true");
                assertThat(err).isEmpty();
                String rotated = run("hosts", "rotate", told);
                assertThat(rotated).as(err).contains(told + " will bring a new key");
                for (String host : List.of("orchard", "box", own)) {
                    Map<String, String> mail =
                            Map.of("to", "alice@" + host, "subject", "Hello", "body", "There?");
                    assertThat(api.post(ORG + "/mail", mail).status()).isEqualTo(201);
                }
            }
        }
    }

    @Test
    void whoever_has_a_name_that_another_had_first_is_told_in_the_words_of_the_seed(
            @TempDir Path other) throws IOException {
        Path agents = Files.createDirectories(other.resolve(".skep/agents"));
        Files.writeString(agents.resolve("alice.yaml"), "prompt: x\nmodel: none\n");
        try (var lifecycle = new Lifecycle();
                var second = new Lifecycle()) {
            up(lifecycle);
            Eventually.holds(
                    "the command says so",
                    () -> run("keys", "issue", "agent", "--agent", "alice").contains("skep_"));
            String[] printed = run("hosts", "pair").strip().split(" ", -1);
            runIn(other, Arrays.copyOfRange(printed, 1, printed.length));
            open(other, Composition.run(false, false), called("other"), second);
            Eventually.holds(
                    "the command says so",
                    () ->
                            runIn(other, "agents")
                                    .contains("Username 'alice' already exists. Please rename."));
        }
    }

    private static String id(String self) {
        return self.lines().findFirst().orElseThrow().replaceFirst("id +", "");
    }

    /** What hosts are called, by each who lists them. */
    private List<List<String>> names(HttpApiClient api) {
        return List.of(
                names(Json.fields(run("hosts", "--json")), "hosts"),
                names(api.get(ORG + "/hosts").fields(), "hosts"),
                names(api.get(ORG + "/view/hosts").fields(), "rows"),
                names(api.get(ORG + "/sync").fields(), "peers"));
    }

    private static List<String> names(JsonFields answer, String list) {
        return answer.list(list).stream()
                .filter(host -> !host.shown("kind").equals("hub"))
                .map(host -> host.text("name"))
                .sorted()
                .toList();
    }

    private HttpApiClient api() {
        AdminFile.Address address = AdminFile.read(home.resolve(".skep")).orElseThrow();
        return new HttpApiClient(
                HttpApiClient.newClient(), address.url(), Optional.of(address.secret()));
    }

    private static SettingFlags called(String name) {
        SettingFlags flags = new SettingFlags();
        flags.give(Setting.LISTEN, "127.0.0.1:0");
        flags.give(Setting.REGISTRY_PORT, "none");
        flags.give(Setting.HOSTNAME, name);
        return flags;
    }

    @Test
    void a_hub_that_others_can_reach_prints_its_address_and_no_more() {
        Path env = home.resolve(".skep/.env");
        run("operators", "list");
        write(env, "SKEP_PUBLIC_URL=https://hub.example.org");
        assertThat(run("hosts", "pair")).startsWith("skep enrol https://hub.example.org --code ");
        assertThat(err).isEmpty();

        write(env, "SKEP_LISTEN=0.0.0.0:4280\nSKEP_PLAIN=yes\nSKEP_NAMES=hub");
        assertThat(run("hosts", "pair")).startsWith("skep enrol http://hub:4280 --code ");
        assertThat(err).isEmpty();
    }

    @Test
    void whoever_asks_for_the_log_of_an_agent_elsewhere_is_told_where_it_is(@TempDir Path other) {
        try (var lifecycle = new Lifecycle();
                var runner = new Lifecycle()) {
            up(lifecycle);
            String[] printed = run("hosts", "pair").strip().split(" ", -1);
            runIn(other, Arrays.copyOfRange(printed, 1, printed.length));
            runIn(other, "agents", "new", "carol", "--model", "scripted:carol.script.yaml");
            SettingFlags flags = new SettingFlags();
            flags.give(Setting.LISTEN, "127.0.0.1:0");
            flags.give(Setting.REGISTRY_PORT, "none");
            flags.give(Setting.HOSTNAME, "elsewhere");
            open(other, Composition.run(false, false), flags, runner);

            Eventually.holds("the command says so", () -> run("agents").contains("carol"));
            assertThat(run("logs", "carol")).isEmpty();
            assertThat(err).contains("carol is on host elsewhere").hasLineCount(1);
            assertThat(run("logs", "alice")).isNotEmpty();
            assertThat(err).isEmpty();
        }
    }

    @Test
    void a_start_names_the_address_for_others_where_it_is_another() {
        try (var lifecycle = new Lifecycle()) {
            SettingFlags flags = new SettingFlags();
            flags.give(Setting.LISTEN, "0.0.0.0:0");
            flags.give(Setting.PLAIN, "yes");
            flags.give(Setting.NAMES, "hub");
            flags.give(Setting.REGISTRY_PORT, "none");
            assertThat(open(home, Composition.UP, flags, lifecycle))
                    .anyMatch(
                            line ->
                                    line.matches(
                                            "listening on http://127.0.0.1:(\\d+), for other machines http://hub:\\1"));
        }
    }

    @Test
    void the_usual_port_for_nodes_may_be_somebody_elses() throws Exception {
        try (var lifecycle = new Lifecycle();
                var _ = taken(31415)) {
            SettingFlags flags = new SettingFlags();
            flags.give(Setting.LISTEN, "127.0.0.1:0");
            assertThat(open(home, Composition.UP, flags, lifecycle))
                    .anyMatch(line -> line.startsWith("port 31415 is in use"));
            assertThat(run("hosts", "self")).contains("runner");
        }
    }

    /** Also when it is taken already, for example by another test run. */
    private static ServerSocket taken(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (BindException already) {
            // As it should be.
        }
        return socket;
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void how_far_a_host_is_stands_there_and_since_when_not_if_it_is_away() {
        try (var lifecycle = new Lifecycle()) {
            up(lifecycle);
            Eventually.holds("the command says so", () -> shows(".* connected +0 .*"));
            // The hub says within about a second that it has stored what it got.
            Eventually.holds("the command says so", () -> shows("http://\\S+ +live +0 .*"));
        }
        assertThat(run("sync")).containsPattern("away +unknown since 20\\d\\d-");
        assertThat(run("sync", "--json")).contains("\"unknownSince\":\"20");
    }

    private boolean shows(String line) {
        return run("sync").lines().anyMatch(each -> each.matches(line));
    }

    private List<String> up(Lifecycle lifecycle) {
        return open(home, Composition.UP, lifecycle);
    }

    private static List<String> open(Path folder, Composition parts, Lifecycle lifecycle) {
        SettingFlags flags = new SettingFlags();
        flags.give(Setting.LISTEN, "127.0.0.1:0");
        flags.give(Setting.REGISTRY_PORT, "0");
        return open(folder, parts, flags, lifecycle);
    }

    private static List<String> open(
            Path folder, Composition parts, SettingFlags flags, Lifecycle lifecycle) {
        return new Assembly(
                        context(folder, new StringWriter(), new StringWriter())
                                .configuration(flags),
                        lifecycle,
                        folder,
                        "test")
                .open(parts, Terminal.none())
                .lines();
    }

    private String run(String... arguments) {
        return runIn(home, arguments);
    }

    private String runIn(Path folder, String... arguments) {
        var out = new StringWriter();
        var errors = new StringWriter();
        Program.run(context(folder, out, errors), arguments);
        err = errors.toString();
        return out.toString();
    }

    private static CommandContext context(Path folder, StringWriter out, StringWriter err) {
        return TestContext.of(Map.of(), folder, out, err);
    }
}
