package dev.skep.app.doctor;

import dev.skep.app.assembly.HostDatabases;
import dev.skep.cli.config.Configuration;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.clock.RetentionClock;
import dev.skep.store.clock.RetentionClockState;
import dev.skep.sync.sql.RetentionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What old rows wait for: a clock that jumped, the next hours, or a hub. */
final class RetentionCheck implements Check {
    private static final String CHECK = "retention";

    private final Configuration configuration;

    RetentionCheck(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public List<Finding> findings() {
        List<Finding> found = new ArrayList<>();
        found.addAll(look("runner", HostDatabases.runnerDatabase(configuration)));
        found.addAll(look("hub", configuration.database()));
        return found;
    }

    private static List<Finding> look(String whose, DatabaseUrl url) {
        Optional<Database> opened = ReadableDatabase.of(url);
        if (opened.isEmpty()) {
            return List.of();
        }
        try (Database database = opened.get()) {
            List<Finding> found = new ArrayList<>();
            RetentionClockState retentionClockState = database.read(RetentionClock::read);
            if (retentionClockState.held() > 0) {
                found.add(held(whose, Duration.ofMillis(retentionClockState.held())));
            }
            for (RetentionStore.Backlog each : database.read(RetentionStore::backlog)) {
                found.add(
                        Finding.warning(
                                CHECK,
                                "%s database: %s has %,d old rows for the next hours, and %,d that a hub has not taken"
                                        .formatted(
                                                whose,
                                                each.table(),
                                                each.waiting(),
                                                each.notPulled()),
                                "see: skep retention"));
            }
            return found;
        }
    }

    static Finding held(String whose, Duration held) {
        return Finding.warning(
                CHECK,
                "the %s's clock jumped over %d days that its rows have not aged by"
                        .formatted(whose, held.toDays()),
                "if it was off for so long, run: skep retention passed %s; if the clock was wrong: skep retention dismiss %s"
                        .formatted(whose, whose));
    }
}
