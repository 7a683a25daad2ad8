package dev.skep.conformance.dispatch;

import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Finds reasons for ever, prints each once it is stored, and tells and sends beside that. */
final class TellingProcess {
    private TellingProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        InstantSource clock = InstantSource.system();
        // Minutes pass with every round, so that many messages begin their way.
        SettableClock steady = new SettableClock(Instant.parse(arguments[3]));
        Database database = Databases.open(DatabaseUrl.parse(arguments[0], Path.of(".")), clock);
        TellingFixture process = new TellingFixture(database, Path.of(arguments[1]), clock, steady);
        for (int i = 0; ; i++) {
            String id = arguments[2] + "-" + i;
            process.approvalWaits(id);
            System.out.println(id);
            System.out.flush();
            if (i % 7 == 6) {
                steady.advance(Duration.ofMinutes(1));
                process.notifier.tell();
                process.sender().sendAll();
            }
        }
    }
}
