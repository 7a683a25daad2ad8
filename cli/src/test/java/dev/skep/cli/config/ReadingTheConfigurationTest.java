package dev.skep.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.directory.host.HostKey;
import dev.skep.directory.host.HostKeyFile;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.JoinedHub;
import dev.skep.directory.secret.SigningKey;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.registry.module.RegistryOptions;
import dev.skep.registry.node.NodeTimeouts;
import dev.skep.store.DatabaseUrl;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadingTheConfigurationTest {
    @TempDir Path home;
    final Map<Setting, String> flags = new EnumMap<>(Setting.class);
    final Map<String, String> environment = new HashMap<>();

    @Test
    void what_is_kept_for_how_long_is_told_by_kind() {
        environment.put("SKEP_KEEP", "logs=7d, mail=forever");
        environment.put("SKEP_KEEP_SIZE", "none");

        RetentionConfig keep = read().retention();

        assertThat(keep.kept())
                .containsEntry(RetentionKind.LOGS, Duration.ofDays(7))
                .containsEntry(RetentionKind.JOBS, Duration.ofDays(90))
                .doesNotContainKey(RetentionKind.MAIL);
        assertThat(keep.mostBytes()).isEmpty();
    }

    @Test
    void the_registry_of_any_service_takes_what_a_registry_alone_takes() {
        environment.put("SKEP_NODE_TTL", "5");
        environment.put("SKEP_RETAIN", "12h");
        environment.put("SKEP_ALLOW_SPAWN", "yes");
        environment.put("SKEP_AGENT_COMMAND", "pi --quiet");
        environment.put("SKEP_ALLOW_MACHINE", "one,two");
        environment.put("SKEP_ALLOW_ORIGIN", "https://de.example.org");

        RegistryOptions options = read().registry().options();

        assertThat(options)
                .isEqualTo(
                        new RegistryOptions(
                                "127.0.0.1",
                                31_415,
                                new NodeTimeouts(Duration.ofSeconds(5), Duration.ofHours(12)),
                                Set.of("one", "two"),
                                new RegistryOptions.Origins(
                                        Set.of("https://de.example.org"), false),
                                true,
                                List.of("pi", "--quiet")));
        assertThat(options.at("0.0.0.0", 1).pages()).containsExactly("https://de.example.org");
    }

    @Test
    void pages_of_this_machine_are_let_in_only_where_the_registry_is_this_machines() {
        RegistryOptions options = read().registry().options();

        assertThat(options.pages()).contains("http://localhost:5180", "http://localhost:5173");
        assertThat(options.at("0.0.0.0", 1).pages()).isEmpty();
        environment.put("SKEP_ALLOW_ORIGIN", "none");
        assertThat(read().registry().options().pages()).isEmpty();
    }

    @Test
    void what_is_wrong_about_the_registry_is_told_with_what_helps() {
        environment.put("SKEP_NODE_TTL", "0");
        environment.put("SKEP_RETAIN", "a while");
        environment.put("SKEP_ALLOW_SPAWN", "maybe");
        environment.put("SKEP_ALLOW_ORIGIN", "localhost:5180");

        assertThatThrownBy(this::read)
                .hasMessageContaining("SKEP_NODE_TTL is \"0\"; write seconds, at least 1")
                .hasMessageContaining(
                        "SKEP_RETAIN is \"a while\"; write days, or 90s, 15m, 12h, 30d")
                .hasMessageContaining("SKEP_ALLOW_SPAWN is \"maybe\"; say yes or no")
                .hasMessageContaining("no web origin in \"localhost:5180\"");
    }

    @Test
    void without_any_setting_the_defaults_make_a_host_that_works_alone() {
        Configuration configuration = read();

        assertThat(configuration.dataDir()).isEqualTo(home.resolve(".skep"));
        assertThat(configuration.host().hostname()).isEqualTo("this-machine");
        assertThat(configuration.links())
                .isEqualTo(
                        new LinkConfig(
                                List.of(), Optional.empty(), Optional.empty(), Optional.empty()));
        assertThat(configuration.listen())
                .isEqualTo(new ListenConfig("127.0.0.1", 4280, Optional.empty()));
        assertThat(configuration.database())
                .isEqualTo(new DatabaseUrl.Sqlite(home.resolve(".skep/hub.db")));
        assertThat(configuration.inForce()).hasSize(Setting.values().length);
    }

    @Test
    void a_flag_beats_the_environment_which_beats_the_env_file() throws IOException {
        envFile("SKEP_HOSTNAME=from-file\nSKEP_LISTEN=1\nHYPI_TOKEN=from-file\n");
        environment.put("NAISYS_HOSTNAME", "from-environment");
        environment.put("SKEP_LISTEN", "2");
        flags.put(Setting.LISTEN, "3");

        Configuration configuration = read();

        assertThat(configuration.host().hostname()).isEqualTo("from-environment");
        assertThat(configuration.listen().port()).isEqualTo(3);
        assertThat(configuration.registry().token()).contains(new SecretValue("from-file"));
        assertThat(origins())
                .contains(
                        "flag --listen",
                        "environment NAISYS_HOSTNAME",
                        home.resolve(".skep/.env") + " line 3 HYPI_TOKEN");
    }

    @Test
    void our_name_beats_the_seeds_name_and_an_empty_value_is_none() {
        environment.put("NAISYS_HOSTNAME", "theirs");
        environment.put("SKEP_HOSTNAME", "ours");
        assertThat(read().host().hostname()).isEqualTo("ours");

        environment.put("SKEP_HOSTNAME", "");
        assertThat(read().host().hostname()).isEqualTo("theirs");
    }

    @Test
    void the_env_file_may_hold_comments_quotes_exports_and_keys_of_others() throws IOException {
        envFile(
                """
                # a comment

                NAISYS_HOSTNAME=server-east-1              # Required
                export HUB_ACCESS_KEY="a # b"
                HUB_URLS = 'https://one.example.com, https://two.example.com:4280'
                OPENAI_API_KEY=sk-whatever=
                """);

        Configuration configuration = read();

        assertThat(configuration.host().hostname()).isEqualTo("server-east-1");
        assertThat(configuration.links().accessKey()).contains(new SecretValue("a # b"));
        assertThat(configuration.links().hubs())
                .containsExactly(
                        URI.create("https://one.example.com"),
                        URI.create("https://two.example.com:4280"));
    }

    @Test
    void a_database_file_is_relative_to_the_file_that_names_it() throws IOException {
        envFile("DATABASE_URL=file:./x.db");

        assertThat(read().database()).isEqualTo(new DatabaseUrl.Sqlite(home.resolve(".skep/x.db")));
    }

    @Test
    void a_database_file_named_elsewhere_is_relative_to_the_working_folder() {
        environment.put("DATABASE_URL", "file:../x.db");

        assertThat(read().database()).isEqualTo(new DatabaseUrl.Sqlite(home.resolve("x.db")));
    }

    @Test
    void a_postgresql_address_is_taken_apart_so_that_its_password_is_never_shown() {
        environment.put("DATABASE_PROVIDER", "postgresql");
        environment.put("DATABASE_URL", "postgresql://skep:p%40ss:w@db:5433/hub?sslmode=require");

        Configuration configuration = read();

        assertThat(configuration.database())
                .isEqualTo(
                        new DatabaseUrl.Postgres(
                                "db", 5433, "hub", "skep", "p@ss:w", "sslmode=require"));
        assertThat(configuration.toString()).doesNotContain("p@ss", "p%40ss");
    }

    @Test
    void secrets_are_masked_wherever_the_configuration_is_printed() {
        environment.put("HUB_ACCESS_KEY", "hush");
        environment.put("HYPI_TOKEN", "hush");

        assertThat(read().toString()).doesNotContain("hush");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SKEP_HOSTNAME | two words | SKEP_HOSTNAME is not a host name",
                "SKEP_LISTEN | 127.0.0.1:99999 | SKEP_LISTEN is not an address",
                "SKEP_LISTEN | here | SKEP_LISTEN is not an address",
                "HUB_URLS | https://hub.example.com | HUB_URLS needs a key",
                "HUB_URLS | hub.example.com | HUB_URLS has no hub address",
                "DATABASE_PROVIDER | oracle | the databases are sqlite and postgresql",
                "DATABASE_PROVIDER | postgresql | there is no address",
                "DATABASE_URL | mysql://a:hush@b/c | DATABASE_URL has the scheme",
                "DATABASE_URL | postgresql://host | DATABASE_URL lacks a host",
                "DATABASE_URL | file: | DATABASE_URL names no file",
                "SKEP_NAMES | hub, bad name! | SKEP_NAMES has no host name in \"bad name!\"",
                "SKEP_ORIGINS | pages.example.com | SKEP_ORIGINS has no web origin",
                "SKEP_ORIGINS | https://a.example/path | SKEP_ORIGINS has no web origin",
                "SKEP_TRUSTED_PROXIES | 10.0.0.0/40 | SKEP_TRUSTED_PROXIES has no address in",
                "SKEP_TRUSTED_PROXIES | 127.0.0.1,my-proxy | no address in \"my-proxy\"",
                "SKEP_KEEP | logs=soon | SKEP_KEEP has \"logs=soon\"",
                "SKEP_KEEP | audit=3d | SKEP_KEEP has \"audit=3d\"",
                "SKEP_KEEP_SIZE | big | SKEP_KEEP_SIZE is not a size",
            })
    void a_bad_value_is_told_with_its_name_and_the_fix(String name, String value, String told) {
        environment.put(name, value);

        assertThat(problems()).singleElement().asString().contains(told).doesNotContain("hush");
    }

    @Test
    void all_problems_are_told_at_once() throws IOException {
        envFile("what is this\nSKEP_HOSTNAM=x\nSKEP_LISTEN=99999\n");
        environment.put("DATABASE_PROVIDER", "sqlite");
        environment.put("DATABASE_URL", "postgresql://user@host/db");

        assertThat(problems())
                .satisfiesExactly(
                        line -> assertThat(line).contains(".env line 1 is not a setting"),
                        line -> assertThat(line).contains("no setting SKEP_HOSTNAM"),
                        line ->
                                assertThat(line)
                                        .contains("DATABASE_PROVIDER is sqlite but DATABASE_URL"),
                        line -> assertThat(line).contains(".env line 3) is not an address"));
    }

    @Test
    void listening_for_others_needs_tls_or_a_word() {
        flags.put(Setting.LISTEN, "0.0.0.0:4280");
        assertThatThrownBy(this::read).hasMessageContaining("TLS").hasMessageContaining("--plain");
        flags.put(Setting.TLS_KEY, "key.pem");
        assertThatThrownBy(this::read).hasMessageContaining("--tls-key needs --tls-certificate");
        flags.put(Setting.TLS_CERTIFICATE, "cert.pem");
        assertThat(read().listener().tls().orElseThrow().key())
                .isEqualTo(home.resolve("work/key.pem"));
        flags.remove(Setting.TLS_KEY);
        flags.remove(Setting.TLS_CERTIFICATE);
        flags.put(Setting.PLAIN, "yes");
        flags.put(Setting.NAMES, "hub.example.com, hub");
        assertThat(read().listener().names()).containsExactlyInAnyOrder("hub.example.com", "hub");
    }

    @Test
    void behind_a_proxy_the_public_address_is_told_and_its_name_is_answered() {
        flags.put(Setting.PUBLIC_URL, "https://hub.example.org/");
        flags.put(Setting.NAMES, "hub");
        assertThat(read().listen().publicUrl()).contains(URI.create("https://hub.example.org"));
        assertThat(read().listener().names()).containsExactlyInAnyOrder("hub.example.org", "hub");
        flags.put(Setting.PUBLIC_URL, "hub.example.org");
        assertThatThrownBy(this::read)
                .hasMessageContaining("--public-url is not an address that people can open");
    }

    @Test
    void a_key_that_is_added_later_is_found_and_the_environment_still_beats_the_file()
            throws IOException {
        environment.put("OPENAI_API_KEY", "from the environment");
        Configuration configuration = read();
        Files.createDirectories(home.resolve(".skep"));
        Files.writeString(
                home.resolve(".skep/.env"), "ANTHROPIC_API_KEY=later\nOPENAI_API_KEY=file\n");
        assertThat(configuration.agents().environment())
                .containsEntry("ANTHROPIC_API_KEY", "later")
                .containsEntry("OPENAI_API_KEY", "from the environment");
    }

    @Test
    void an_enrolled_host_needs_no_access_key() throws Exception {
        environment.put("HUB_URLS", "wss://hub.example.com");
        var key = new HostKey(1, SigningKey.generate(new SecureRandom()));
        var hub = new JoinedHub("https://hub.example.com", "hub", 1, Optional.empty());
        Files.createDirectories(home.resolve(".skep"));
        HostKeyFile.in(home.resolve(".skep"), HostKind.RUNNER)
                .write(new HostKeyFile.Content(new HostId("h"), List.of(key), List.of(hub)));

        assertThat(read().links().hubs()).hasSize(1);
    }

    private Configuration read() {
        Path workingFolder = home.resolve("work");
        return Configuration.read(
                new SettingSources(flags, environment, workingFolder, home), () -> "this-machine");
    }

    private List<String> origins() {
        return read().inForce().stream().map(value -> value.origin().toString()).toList();
    }

    private List<String> problems() {
        var thrown = assertThatExceptionOfType(SkepException.class).isThrownBy(this::read).actual();
        assertThat(thrown.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION);
        return String.valueOf(thrown.getMessage()).lines().toList();
    }

    private void envFile(String text) throws IOException {
        Files.createDirectories(home.resolve(".skep"));
        Files.writeString(home.resolve(".skep/.env"), text);
    }
}
