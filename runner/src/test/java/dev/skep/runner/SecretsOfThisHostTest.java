package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.directory.host.LocalHost;
import dev.skep.directory.secret.HostSeal;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.job.SecretName;
import dev.skep.shell.redact.Redactor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What hubs sealed for a host: who may set and use it, and what is left of it. */
class SecretsOfThisHostTest {
    private static final String HUB = "https://hub.example.com";
    private static final String OTHER = "https://other.example.com";
    private static final List<String> LISTED = List.of("TOKEN");
    private static final String VALUE = "correct-horse-battery";

    @TempDir Path dir;

    @Test
    void a_secret_is_there_after_a_restart_readable_by_its_owner_only() throws Exception {
        try (TestRunner runner = open()) {
            HostSecrets secrets = secrets(runner.host);
            secrets.set(HUB, "TOKEN", 1, sealed(runner.host, VALUE, 1));
            assertThat(secrets.value("TOKEN", LISTED)).isEqualTo(VALUE);
            assertThat(secrets(runner.host).value("TOKEN", LISTED)).isEqualTo(VALUE);
            assertThat(secrets.value("TOKEN", List.of())).isNull();
            assertThat(Files.getPosixFilePermissions(dir.resolve("agent-secrets")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void its_value_is_taken_out_of_texts_from_the_moment_it_is_known() {
        try (TestRunner runner = open()) {
            Redactor redactor = new Redactor(List.of());
            new HostSecrets(dir, runner.host, redactor)
                    .set(HUB, "TOKEN", 1, sealed(runner.host, VALUE, 1));
            assertThat(redactor.redact("it is " + VALUE)).isEqualTo("it is [redacted]");
            Redactor later = new Redactor(List.of());
            assertThat(new HostSecrets(dir, runner.host, later)).isNotNull();
            assertThat(later.redact("it is " + VALUE)).isEqualTo("it is [redacted]");
        }
    }

    @Test
    void an_old_value_does_not_come_back_not_even_after_it_was_removed() {
        try (TestRunner runner = open()) {
            HostSecrets secrets = secrets(runner.host);
            String first = sealed(runner.host, VALUE, 1);
            secrets.set(HUB, "TOKEN", 2, sealed(runner.host, "another-horse", 2));
            assertThatThrownBy(() -> secrets.set(HUB, "TOKEN", 1, first))
                    .hasMessageContaining("set or removed later");
            secrets.remove(HUB, "TOKEN", 3);
            assertThat(secrets.value("TOKEN", LISTED)).isNull();
            assertThatThrownBy(() -> secrets(runner.host).set(HUB, "TOKEN", 1, first))
                    .hasMessageContaining("set or removed later");
            assertThat(dir.resolve("agent-secrets")).content().doesNotContain("another-horse");
        }
    }

    @Test
    void a_seal_for_another_name_number_or_host_is_refused_and_changes_nothing() {
        try (TestRunner runner = open()) {
            HostSecrets secrets = secrets(runner.host);
            String seal = sealed(runner.host, VALUE, 1);
            assertThatThrownBy(() -> secrets.set(HUB, "OTHER", 1, seal))
                    .hasMessageContaining("not sealed for the key of this host");
            assertThatThrownBy(() -> secrets.set(HUB, "TOKEN", 2, seal))
                    .hasMessageContaining("not sealed for the key of this host");
            assertThat(dir.resolve("agent-secrets")).doesNotExist();
        }
    }

    @Test
    void what_was_sealed_before_the_host_changed_its_key_still_opens_while_the_key_is_kept() {
        try (TestRunner runner = open()) {
            String seal = sealed(runner.host, VALUE, 1);
            runner.host.rotateKey();
            HostSecrets secrets = secrets(runner.host);
            secrets.set(HUB, "TOKEN", 1, seal);
            assertThat(secrets.value("TOKEN", LISTED)).isEqualTo(VALUE);
        }
    }

    @Test
    void a_name_belongs_to_the_hub_that_set_it_and_ends_with_that_hubs_consent() {
        try (TestRunner runner = open()) {
            HostSecrets secrets = secrets(runner.host);
            secrets.set(HUB, "TOKEN", 1, sealed(runner.host, VALUE, 1));
            assertThatThrownBy(
                            () ->
                                    secrets.set(
                                            OTHER,
                                            "TOKEN",
                                            2,
                                            sealed(runner.host, "x".repeat(9), 2)))
                    .hasMessageContaining("remove it there first");
            assertThatThrownBy(() -> secrets.remove(OTHER, "TOKEN", 2))
                    .hasMessageContaining("remove it there first");

            runner.host.keys().allow(HUB, Consents.parse("steer"));
            assertThat(secrets.value("TOKEN", LISTED)).isNull();
            secrets.set(OTHER, "TOKEN", 2, sealed(runner.host, "of-the-other", 2));
            assertThat(secrets.value("TOKEN", LISTED)).isEqualTo("of-the-other");
        }
    }

    private TestRunner open() {
        TestRunner runner = TestRunner.start(dir, new PlayedModels());
        for (String hub : List.of(HUB, OTHER)) {
            runner.host.keys().joined(hub, "id of " + hub, 1, Consents.parse("steer,agents"));
        }
        return runner;
    }

    private HostSecrets secrets(LocalHost host) {
        return new HostSecrets(dir, host, new Redactor(List.of()));
    }

    private static String sealed(LocalHost host, String value, long version) {
        return HostSeal.seal(
                host.keys().newest().publicKey(),
                value,
                SecretName.purpose(host.id().value(), "TOKEN", version));
    }
}
