package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.row.SyncRow;
import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.FeedScope;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class ManyWritersTest {
    private static final int WRITERS = 50;
    private static final int WRITES = 20;

    private final TestDatabase kind;
    @TempDir Path folder;

    ManyWritersTest(TestDatabase kind) {
        this.kind = kind;
    }

    @Test
    void fifty_writers_lose_no_update_and_readers_see_stamps_in_commit_order() throws Exception {
        try (StoreFixture fixture = new StoreFixture(kind, folder);
                var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            fixture.database.write(tx -> tx.update("CREATE TABLE counter (value BIGINT)"));
            fixture.database.write(tx -> tx.update("INSERT INTO counter VALUES (0)"));
            AtomicBoolean writing = new AtomicBoolean(true);
            List<Semaphore> signals = List.of(new Semaphore(0), new Semaphore(0));
            fixture.clock.onAdvanced(() -> signals.forEach(Semaphore::release));
            List<Future<List<Long>>> readers = new ArrayList<>();
            for (Semaphore moved : signals) {
                readers.add(pool.submit(() -> followFeed(fixture, moved, writing)));
            }
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int number = writer;
                writers.add(pool.submit(() -> writeMany(fixture, number)));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
            writing.set(false);
            signals.forEach(Semaphore::release);

            for (Future<List<Long>> reader : readers) {
                List<Long> stamps = reader.get();
                assertThat(stamps).hasSize(WRITERS * WRITES).doesNotHaveDuplicates();
                List<Long> sorted = new ArrayList<>(stamps);
                Collections.sort(sorted);
                // A follower that never misses a row proves that no stamp was committed behind it.
                assertThat(stamps).isEqualTo(sorted);
            }
            long counted =
                    fixture.database.read(
                            s ->
                                    s.first("SELECT value FROM counter", row -> row.number(1))
                                            .orElseThrow());
            assertThat(counted).isEqualTo(WRITERS * WRITES);
        }
    }

    private static void writeMany(StoreFixture fixture, int writer) {
        for (int i = 0; i < WRITES; i++) {
            String id = "w%03d-%03d".formatted(writer, i);
            fixture.database.write(
                    tx -> {
                        fixture.own.put(tx, AgentTables.CONTEXT_LOG, StoreFixture.log(id, "hello"));
                        long value =
                                tx.first("SELECT value FROM counter", row -> row.number(1))
                                        .orElseThrow();
                        // Stamping first locks the clock: the read above cannot be outdated.
                        return tx.update("UPDATE counter SET value = ?", value + 1);
                    });
        }
    }

    private static List<Long> followFeed(
            StoreFixture fixture, Semaphore moved, AtomicBoolean writing)
            throws InterruptedException {
        List<Long> stamps = new ArrayList<>();
        long position = 0;
        boolean last = false;
        while (!last) {
            moved.acquire();
            moved.drainPermits();
            last = !writing.get();
            FeedPage page;
            do {
                long after = position;
                page =
                        fixture.database.read(
                                s ->
                                        fixture.feed.page(
                                                s,
                                                new FeedScope.OwnedBy(
                                                        StoreFixture.ORG, StoreFixture.SELF),
                                                after,
                                                new FeedPage.Limits(37, 1 << 20)));
                page.tables()
                        .forEach(t -> t.rows().stream().map(SyncRow::ver).forEach(stamps::add));
                position = page.upto();
            } while (page.hasMore());
        }
        return stamps;
    }
}
