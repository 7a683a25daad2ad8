package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.store.DatabaseUrl;
import dev.skep.store.SqlDialect;
import dev.skep.testkit.JavaCommand;
import dev.skep.testkit.server.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Short form; the full loop is {@code -Dskep.kills=20}. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class KilledWhileWritingTest {
    private static final int KILLS = Integer.getInteger("skep.kills", 3);

    private final TestDatabase kind;
    private final Random random = new Random(11);
    @TempDir Path folder;

    KilledWhileWritingTest(TestDatabase kind) {
        this.kind = kind;
    }

    @Test
    void every_acknowledged_row_is_there_after_kill_9() throws Exception {
        DatabaseUrl url = kind.create(folder);
        Set<String> acknowledged = new HashSet<>();
        for (int kill = 0; kill < KILLS; kill++) {
            acknowledged.addAll(writeUntilKilled(url, kill));
            try (StoreFixture fixture = new StoreFixture(url)) {
                assertThat(storedIds(fixture)).containsAll(acknowledged);
                if (fixture.database.dialect() == SqlDialect.SQLITE) {
                    assertThat(integrity(fixture)).isEqualTo("ok");
                }
            }
        }
        System.out.printf(
                "%s: %d kills, %d acknowledged rows, all there%n",
                kind, KILLS, acknowledged.size());
    }

    private Set<String> writeUntilKilled(DatabaseUrl url, int kill) throws IOException {
        Process writer =
                JavaCommand.process(WritingProcess.class, WritingProcess.argument(url), "k" + kill)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        Set<String> acknowledged = new HashSet<>();
        int enough = 50 + random.nextInt(300);
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
            for (String id = lines.readLine(); id != null; id = lines.readLine()) {
                acknowledged.add(id);
                if (acknowledged.size() == enough) {
                    // SIGKILL; what it had printed before stays readable below.
                    writer.toHandle().destroyForcibly();
                }
            }
        }
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(enough);
        return acknowledged;
    }

    private static Set<String> storedIds(StoreFixture fixture) {
        return new HashSet<>(
                fixture.database.read(
                        s -> s.list("SELECT id FROM context_log", row -> row.text("id"))));
    }

    static String integrity(StoreFixture fixture) {
        return fixture.database.read(
                s ->
                        s.first("PRAGMA integrity_check", row -> row.text("integrity_check"))
                                .orElseThrow());
    }
}
