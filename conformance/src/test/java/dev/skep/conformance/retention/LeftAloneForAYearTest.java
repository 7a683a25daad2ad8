package dev.skep.conformance.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.retention.RetentionBehindConditions;
import dev.skep.cli.config.RetentionKind;
import dev.skep.dispatch.alert.AlertCondition;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.DatabaseUrl;
import dev.skep.testkit.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LeftAloneForAYearTest {
    private static final Map<RetentionKind, Duration> MONTH =
            Map.of(
                    RetentionKind.LOGS,
                    Duration.ofDays(30),
                    RetentionKind.MAIL,
                    Duration.ofDays(60));
    private static final int LINES = 40;

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void a_runner_keeps_what_its_settings_say_and_no_more(TestDatabase kind) throws IOException {
        DatabaseUrl url = kind.create(folder);
        try (var alone = new LeftAlone(url, folder, MONTH, OptionalLong.empty(), List.of())) {
            alone.days(90, LINES);
            long afterThreeMonths = size(url);
            alone.days(275, LINES);

            assertThat(alone.count("context_log")).isBetween(29L * LINES, 30L * LINES);
            assertThat(alone.count("mail_messages")).isBetween(59L, 60L);
            assertThat(alone.count("mail_recipients")).isEqualTo(alone.count("mail_messages"));
            assertThat(alone.text("SELECT floors FROM hosts"))
                    .contains("context_log=", "mail_messages=");
            assertThat(size(url)).isLessThanOrEqualTo(afterThreeMonths * 5 / 4);
        }
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void a_clock_that_is_400_days_ahead_or_behind_loses_nothing(TestDatabase kind) {
        DatabaseUrl url = kind.create(folder);
        try (var alone = new LeftAlone(url, folder, MONTH, OptionalLong.empty(), List.of())) {
            alone.setClock(Duration.ofDays(-400));
            alone.days(10, LINES);
            alone.setClock(Duration.ofDays(800));
            alone.days(10, LINES);
            alone.setClock(Duration.ofDays(-400));
            alone.hours(2);

            assertThat(alone.count("context_log")).isEqualTo(20L * LINES);
            assertThat(alone.count("mail_messages")).isEqualTo(20);
        }
    }

    @Test
    void space_is_given_back_when_much_goes_at_once() throws IOException {
        DatabaseUrl url = TestDatabase.SQLITE.create(folder);
        try (var alone = new LeftAlone(url, folder, MONTH, OptionalLong.empty(), List.of())) {
            alone.days(1, 5_000);
            alone.clock.advance(Duration.ofDays(40));
            alone.days(2, 1);
            assertThat(alone.count("context_log")).as("an hour's share").isGreaterThan(4_000);
            alone.hours(5);
        }
        assertThat(size(url)).isLessThan(1_300_000);
    }

    @Test
    void what_a_hub_has_not_pulled_stays_until_the_file_outgrows_its_limit() throws IOException {
        DatabaseUrl url = TestDatabase.SQLITE.create(folder);
        try (var alone =
                new LeftAlone(url, folder, MONTH, OptionalLong.empty(), List.of("a-hub"))) {
            alone.days(100, LINES);
            assertThat(alone.count("context_log")).isEqualTo(100L * LINES);
        }
        long most = 2L << 20;
        try (var alone =
                new LeftAlone(url, folder, MONTH, OptionalLong.of(most), List.of("a-hub"))) {
            alone.clock.advance(Duration.ofDays(100));
            alone.days(20, LINES);
            assertThat(alone.database.usedBytes().orElseThrow()).isLessThanOrEqualTo(most);
            assertThat(alone.count("context_log")).isBetween(10L * LINES, 100L * LINES);
        }
    }

    @Test
    void rows_that_went_for_the_files_size_are_reported_until_a_round_takes_none() {
        DatabaseUrl url = TestDatabase.SQLITE.create(folder);
        OptionalLong most = OptionalLong.of(2L << 20);
        try (var alone = new LeftAlone(url, folder, MONTH, most, List.of())) {
            var behind = new RetentionBehindConditions(new OrgId("default"), alone.sizeLimitPurges);
            assertThat(troubles(alone, behind)).as("not known yet").containsExactly(false);

            alone.days(1, 5_000);
            assertThat(troubles(alone, behind)).containsExactly(true);
            alone.hours(1);
            assertThat(troubles(alone, behind)).isEmpty();
        }
    }

    /** Whether each is certain. */
    private static List<Boolean> troubles(LeftAlone alone, RetentionBehindConditions behind) {
        return alone.database.read(behind::now).stream().map(AlertCondition::certain).toList();
    }

    /** The file with its log; of a server only that it does not matter here. */
    private static long size(DatabaseUrl url) throws IOException {
        return url instanceof DatabaseUrl.Sqlite(Path file) ? Files.size(file) : 1;
    }
}
