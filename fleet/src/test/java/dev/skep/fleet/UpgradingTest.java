package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.DatabaseInspection;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UpgradingTest {
    private static final String JOBS = "/api/orgs/default/jobs";

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource
    void an_earlier_data_dir_opens_with_its_rows_and_its_agents_go_on(OldDataDir old)
            throws IOException {
        old.unpack(folder);
        try (var lifecycle = new Lifecycle()) {
            Database hub = open(lifecycle).main().database();
            assertThat(number(hub, "SELECT count(*) FROM users WHERE username IN ('alice', 'bob')"))
                    .isEqualTo(2);
            assertThat(mails(hub)).isGreaterThanOrEqualTo(old.mails);
            assertThat(number(hub, "SELECT count(*) FROM context_log")).isPositive();

            Eventually.holds("new mail reaches the hub", () -> mails(hub) > old.mails);
        }
        for (String name : new String[] {"runner.db", "hub.db"}) {
            var url = new DatabaseUrl.Sqlite(folder.resolve(name));
            DatabaseInspection seen = DatabaseInspection.of(url);
            assertThat(seen.schema()).isEqualTo(seen.newest());
            assertThat(seen.damage()).isEmpty();
            try (Database closed = Databases.openReadOnly(url)) {
                assertThat(mails(closed)).isGreaterThan(old.mails);
            }
        }
    }

    @Test
    void keys_jobs_servers_and_nodes_of_version_0_1_are_there_and_its_host_works_on()
            throws IOException, InterruptedException {
        OldDataDir.VERSION_0_1.unpack(folder);
        try (var lifecycle = new Lifecycle()) {
            Assembly.Opened product = open(lifecycle);
            HttpVisitor maria = HttpVisitor.withKey(product.url(), OldDataDir.API_KEY_0_1);

            assertThat(maria.call("GET", JOBS)).contains("echo hello", "succeeded", "echo later");
            assertThat(maria.call("GET", "/api/orgs/default/servers")).contains("\"ticker\"");
            assertThat(maria.call("GET", "/api/orgs/default/nodes")).contains("\"pi-1\"");
            assertThat(maria.call("GET", "/api/orgs/default/audit")).contains("job_created");

            String job =
                    maria.post(
                                    JOBS,
                                    Map.of(
                                            "hostId",
                                            OldDataDir.HOST_0_1,
                                            "type",
                                            "shell",
                                            "payload",
                                            Map.of("command", "echo upgraded")))
                            .text("id");
            Eventually.holds("the job succeeds", () -> get(maria, job).contains("succeeded"));
        }
    }

    private Assembly.Opened open(Lifecycle lifecycle) {
        return new Assembly(TestSettings.up(folder), lifecycle, folder, "test")
                .open(Composition.UP, Terminal.none());
    }

    private static String get(HttpVisitor maria, String job) {
        try {
            return maria.call("GET", JOBS + "/" + job);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long mails(Database database) {
        return number(database, "SELECT count(*) FROM mail_messages");
    }

    private static long number(Database database, String sql) {
        return database.read(db -> db.first(sql, row -> row.number(1)).orElseThrow());
    }
}
