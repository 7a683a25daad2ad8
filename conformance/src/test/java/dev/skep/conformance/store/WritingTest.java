package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WritingTest extends EachDatabase {
    @BeforeEach
    void addACounter() {
        fixture.database.write(
                tx -> tx.update("CREATE TABLE counter (name TEXT PRIMARY KEY, value BIGINT)"));
    }

    @Test
    void a_write_is_there_after_it_returned() {
        fixture.database.write(tx -> tx.update("INSERT INTO counter VALUES (?, ?)", "a", 1));

        assertThat(valueOf("a")).isEqualTo(1);
    }

    @Test
    void what_is_read_is_what_was_written_even_if_it_is_empty_zero_or_nothing() {
        List<String> names = List.of("", "é 蜂 🐝", "0");
        for (String name : names) {
            fixture.database.write(
                    tx -> tx.update("INSERT INTO counter VALUES (?, ?)", name, name.length()));
        }
        fixture.database.write(tx -> tx.update("INSERT INTO counter VALUES ('none', NULL)"));

        List<String> read =
                fixture.database.read(
                        snapshot ->
                                snapshot.list(
                                        "SELECT name, value FROM counter",
                                        row -> row.text(1) + " is " + row.numberOrNull(2)));
        assertThat(read)
                .containsExactlyInAnyOrder(" is 0", "é 蜂 🐝 is 6", "0 is 1", "none is null");
        assertThat(valueOf("é 蜂 🐝")).isEqualTo(6);
    }

    @Test
    void a_write_that_throws_changes_nothing() {
        assertThatThrownBy(
                        () ->
                                fixture.database.write(
                                        tx -> {
                                            tx.update("INSERT INTO counter VALUES ('a', 1)");
                                            throw new IllegalArgumentException("no");
                                        }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no");

        assertThat(count()).isZero();
    }

    @Test
    void a_bad_statement_is_one_error_and_the_next_write_works() {
        assertThatThrownBy(() -> fixture.database.write(tx -> tx.update("INSERT INTO nowhere")))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL));

        fixture.database.write(tx -> tx.update("INSERT INTO counter VALUES ('a', 1)"));
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void a_row_that_exists_already_is_a_conflict() {
        fixture.database.write(tx -> tx.update("INSERT INTO counter VALUES ('a', 1)"));

        assertThatThrownBy(
                        () ->
                                fixture.database.write(
                                        tx -> tx.update("INSERT INTO counter VALUES ('a', 2)")))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
    }

    @Test
    void writes_do_not_nest() {
        assertThatThrownBy(
                        () -> fixture.database.write(outer -> fixture.database.write(inner -> 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a write inside a write");
    }

    @Test
    void a_failing_write_leaves_its_neighbours_in_the_same_commit_alone() throws Exception {
        List<Callable<Boolean>> writes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String name = "n" + i;
            boolean fails = i % 7 == 0;
            writes.add(() -> tryInsert(name, fails));
        }

        int stored = 0;
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> done : pool.invokeAll(writes)) {
                stored += done.get() ? 1 : 0;
            }
        }

        assertThat(stored).isEqualTo(200 - 29);
        assertThat(count()).isEqualTo(stored);
    }

    @Test
    void actions_after_commit_run_only_if_it_committed() {
        List<String> ran = new ArrayList<>();
        fixture.database.write(
                tx -> {
                    tx.afterCommit(() -> ran.add("committed"));
                    return 1;
                });
        assertThatThrownBy(
                        () ->
                                fixture.database.write(
                                        tx -> {
                                            tx.afterCommit(() -> ran.add("rolled back"));
                                            throw new IllegalStateException();
                                        }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(ran).containsExactly("committed");
    }

    @Test
    void a_read_sees_one_state_however_long_it_takes() throws Exception {
        fixture.database.write(tx -> tx.update("INSERT INTO counter VALUES ('a', 1)"));
        CountDownLatch looked = new CountDownLatch(1);
        CountDownLatch written = new CountDownLatch(1);
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<Long>> reads =
                    pool.submit(
                            () ->
                                    fixture.database.read(
                                            snapshot -> {
                                                long before = value(snapshot, "a");
                                                looked.countDown();
                                                await(written);
                                                return List.of(before, value(snapshot, "a"));
                                            }));
            looked.await();
            fixture.database.write(tx -> tx.update("UPDATE counter SET value = 2"));
            written.countDown();

            assertThat(reads.get()).containsExactly(1L, 1L);
        }
        assertThat(valueOf("a")).isEqualTo(2);
    }

    private boolean tryInsert(String name, boolean fails) {
        try {
            fixture.database.write(
                    tx -> {
                        tx.update("INSERT INTO counter VALUES (?, 1)", name);
                        if (fails) {
                            throw new IllegalStateException("on purpose");
                        }
                        return 1;
                    });
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private long valueOf(String name) {
        return fixture.database.read(snapshot -> value(snapshot, name));
    }

    private static long value(Snapshot snapshot, String name) {
        return snapshot.first(
                        "SELECT value FROM counter WHERE name = ?",
                        row -> row.number("value"),
                        name)
                .orElseThrow();
    }

    private long count() {
        return fixture.database.read(
                snapshot ->
                        snapshot.first("SELECT count(*) FROM counter", row -> row.number(1))
                                .orElseThrow());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
