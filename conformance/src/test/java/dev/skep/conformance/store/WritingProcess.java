package dev.skep.conformance.store;

import dev.skep.agents.AgentTables;
import dev.skep.store.DatabaseUrl;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes rows from several threads for ever and prints each id once its write returned. */
final class WritingProcess {
    private WritingProcess() {}

    static String argument(DatabaseUrl url) {
        return switch (url) {
            case DatabaseUrl.Sqlite(var file) -> "file:" + file;
            case DatabaseUrl.Postgres p ->
                    "postgresql://%s:%s@%s:%d/%s"
                            .formatted(p.user(), p.password(), p.host(), p.port(), p.database());
        };
    }

    public static void main(String[] arguments) throws InterruptedException {
        StoreFixture fixture = new StoreFixture(DatabaseUrl.parse(arguments[0], Path.of(".")));
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String prefix = arguments[1] + "-" + i + "-";
            writers.add(Thread.startVirtualThread(() -> writeForEver(fixture, prefix)));
        }
        for (Thread writer : writers) {
            writer.join();
        }
    }

    private static void writeForEver(StoreFixture fixture, String prefix) {
        for (int i = 0; ; i++) {
            String id = prefix + i;
            fixture.database.write(
                    tx -> {
                        fixture.own.put(tx, AgentTables.CONTEXT_LOG, StoreFixture.log(id, "hello"));
                        return 1;
                    });
            synchronized (System.out) {
                System.out.println(id);
                System.out.flush();
            }
        }
    }
}
