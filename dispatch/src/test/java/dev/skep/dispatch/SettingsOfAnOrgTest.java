package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.route.JsonFields;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsOfAnOrgTest {
    private static final String ADMIN = "operator:default";
    private static final String PATH = "/api/orgs/default/settings";

    @TempDir Path folder;
    private DispatchTestHub hub;

    @BeforeEach
    void open() {
        hub = new DispatchTestHub(folder);
    }

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void an_org_that_set_nothing_has_what_every_org_gets() {
        JsonFields settings = hub.get("viewer:default", PATH).fields();
        assertThat(settings.number("offlineAfterSeconds")).isEqualTo(120);
        assertThat(settings.number("jobLeaseSeconds")).isEqualTo(30);
        assertThat(settings.number("degradedCpuPercent")).isEqualTo(98);
        assertThat(settings.number("degradedDiskPercent")).isEqualTo(95);
        assertThat(settings.object("set").orElseThrow().json("offlineAfterSeconds")).isEmpty();
    }

    @Test
    void a_change_is_audited_kept_and_undone_by_null_and_other_orgs_keep_theirs() {
        change(Map.of("offlineAfterSeconds", 600));
        change(Map.of("jobLeaseSeconds", 90));
        JsonFields settings = hub.get(ADMIN, PATH).fields();
        assertThat(settings.number("offlineAfterSeconds")).isEqualTo(600);
        assertThat(settings.number("jobLeaseSeconds")).isEqualTo(90);
        assertThat(hub.audited).contains("org_settings_changed");
        JsonFields others = hub.get("operator:acme", "/api/orgs/acme/settings").fields();
        assertThat(others.number("offlineAfterSeconds")).isEqualTo(120);

        change(Collections.singletonMap("offlineAfterSeconds", null));
        settings = hub.get(ADMIN, PATH).fields();
        assertThat(settings.number("offlineAfterSeconds")).isEqualTo(120);
        assertThat(settings.number("jobLeaseSeconds")).isEqualTo(90);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 59, 86_401, -1})
    void a_time_that_would_call_living_hosts_offline_or_none_ever_is_refused(int seconds) {
        DispatchTestHub.Answer refused =
                hub.call("PATCH", ADMIN, PATH, Map.of("offlineAfterSeconds", seconds));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.fields().text("detail")).contains("from 60 to 86400");
        assertThat(hub.get(ADMIN, PATH).fields().number("offlineAfterSeconds")).isEqualTo(120);
    }

    @Test
    void one_wrong_value_changes_none_of_the_others() {
        DispatchTestHub.Answer refused =
                hub.call(
                        "PATCH",
                        ADMIN,
                        PATH,
                        Map.of("offlineAfterSeconds", 600, "degradedCpuPercent", 101));
        assertThat(refused.code()).isEqualTo("bad_request");
        assertThat(hub.get(ADMIN, PATH).fields().number("offlineAfterSeconds")).isEqualTo(120);
        assertThat(hub.call("PATCH", ADMIN, PATH, Map.of("lease", 60)).status()).isEqualTo(400);
    }

    @Test
    void only_an_admin_changes_them() {
        Map<String, Integer> change = Map.of("offlineAfterSeconds", 600);
        assertThat(hub.call("PATCH", "plain:default", PATH, change).status()).isEqualTo(403);
        assertThat(hub.call("PATCH", "operator:acme", PATH, change).status()).isEqualTo(404);
    }

    @Test
    void what_makes_a_host_degraded_counts_from_its_next_heartbeat_on_without_a_restart() {
        beat();
        assertThat(host().text("status")).isEqualTo("online");
        change(Map.of("degradedDiskPercent", 80));
        beat();
        assertThat(host().text("status")).isEqualTo("degraded");
        assertThat(host().text("degradedReason")).isEqualTo("its disk is at 85%");
        change(Map.of("degradedDiskPercent", 100));
        beat();
        assertThat(host().text("status")).isEqualTo("online");
    }

    private void beat() {
        hub.post(
                "host:default:h1",
                "/api/agent/heartbeat",
                Map.of("metrics", Map.of("cpu", 0.25, "memory", 0.5, "disk", 0.85)));
    }

    private JsonFields host() {
        return hub.get(ADMIN, "/api/orgs/default/hosts/h1").fields().object("host").orElseThrow();
    }

    private void change(Map<String, ?> change) {
        DispatchTestHub.Answer answer = hub.call("PATCH", ADMIN, PATH, change);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }
}
