package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.assembly.HostDatabases;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Setting;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.store.Database;
import dev.skep.store.clock.RetentionClock;
import dev.skep.store.clock.RetentionClockState;
import dev.skep.store.engine.Databases;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wall clock jumped over time that rows have not aged by: a person says what was right. */
class DecidingAboutLostTimeTest {
    private static final long HELD = Duration.ofDays(393).toMillis();

    @TempDir Path home;
    private String out = "";
    private String err = "";

    @Test
    void beside_a_running_process_each_database_has_its_own_word() {
        try (var lifecycle = new Lifecycle()) {
            HostProcess hub = start(lifecycle, Composition.UP);
            hold(hub.database());
            backlog(hub.database());
            long before = ageing(hub.database()).at();

            assertThat(run("retention")).isZero();
            assertThat(out)
                    .containsPattern("hub +[^\\n]*393 days")
                    .containsPattern("runner +[^\\n]* 0 min")
                    .contains("skep retention passed hub", "skep retention dismiss hub")
                    .contains("hub: context_log has 1,200 old rows for the next hours; an hour")
                    .contains("largest of 2 % of a table, 1,000 rows, and 2 times what came")
                    .contains("hub: context_log has 7 old rows that a hub has not taken");
            assertThat(run("retention", "--json")).isZero();
            JsonFields shown = Json.fields(out).list("databases").getLast();
            assertThat(shown.text("database")).isEqualTo("hub");
            assertThat(shown.number("heldSeconds")).isEqualTo(HELD / 1000);
            assertThat(shown.list("waiting").getFirst().number("notPulled")).isEqualTo(7);

            assertThat(run("retention", "passed", "--yes")).isEqualTo(2);
            assertThat(err).contains("say which database: runner or hub");
            assertThat(run("retention", "passed", "hub")).isEqualTo(2);
            assertThat(err).contains("393 days older").contains("say --yes");
            assertThat(ageing(hub.database()).held()).isEqualTo(HELD);

            assertThat(run("retention", "passed", "hub", "--yes")).isZero();
            assertThat(out).contains("rows of the hub database are 393 days older");
            assertThat(ageing(hub.database()).held()).isZero();
            assertThat(ageing(hub.database()).at()).isGreaterThanOrEqualTo(before + HELD);
            assertThat(run("audit")).isZero();
            assertThat(out).contains("retention_passed");

            assertThat(run("retention", "passed", "hub", "--yes")).isEqualTo(1);
            assertThat(err).contains("jumped over nothing that is undecided");
        }
    }

    @Test
    void where_nothing_runs_the_one_database_needs_no_name() {
        try (var lifecycle = new Lifecycle()) {
            hold(start(lifecycle, Composition.run(false, false)).database());
        }
        assertThat(run("doctor", "--listen", "127.0.0.1:0", "--registry-port", "none")).isZero();
        assertThat(out).contains("skep retention passed runner");

        long before = stored().at();
        assertThat(run("retention", "dismiss", "--yes")).isZero();

        assertThat(out).contains("rows of the runner database have not aged by 393 days");
        assertThat(stored().held()).isZero();
        assertThat(stored().at() - before).isLessThan(HELD);
    }

    private RetentionClockState stored() {
        var file = HostDatabases.runnerDatabase(context(new StringWriter()).configuration(flags()));
        try (Database database = Databases.openReadOnly(file)) {
            return ageing(database);
        }
    }

    private HostProcess start(Lifecycle lifecycle, Composition parts) {
        return new Assembly(
                        context(new StringWriter()).configuration(flags()), lifecycle, home, "test")
                .open(parts, Terminal.none())
                .main();
    }

    private static SettingFlags flags() {
        SettingFlags flags = new SettingFlags();
        flags.give(Setting.LISTEN, "127.0.0.1:0");
        flags.give(Setting.REGISTRY_PORT, "none");
        return flags;
    }

    private static void hold(Database database) {
        database.write(tx -> tx.update("UPDATE retention_clock SET held = ?", HELD));
    }

    private static void backlog(Database database) {
        database.write(
                tx ->
                        tx.update(
                                """
                                INSERT INTO retention_backlog (table_name, waiting, not_pulled, since)
                                VALUES ('context_log', 1200, 7, 0)"""));
    }

    private static RetentionClockState ageing(Database database) {
        return database.read(RetentionClock::read);
    }

    private CommandContext context(StringWriter written) {
        return TestContext.of(
                Map.of("PATH", System.getenv("PATH")), home, written, new StringWriter());
    }

    private int run(String... arguments) {
        StringWriter written = new StringWriter();
        StringWriter told = new StringWriter();
        int status =
                Skep.run(
                        TestContext.of(Map.of("PATH", System.getenv("PATH")), home, written, told),
                        arguments);
        out = written.toString();
        err = told.toString();
        return status;
    }
}
