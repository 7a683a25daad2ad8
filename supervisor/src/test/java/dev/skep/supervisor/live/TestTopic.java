package dev.skep.supervisor.live;

import dev.skep.kernel.id.Keyed;
import dev.skep.kernel.id.OrgId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A topic whose rows a test sets, beside one without any, on a board of their own. */
final class TestTopic implements AutoCloseable {
    static final OrgId ORG = new OrgId("acme");

    /** A row of it. */
    record Book(String id, String title) implements Keyed {}

    private final Map<String, Book> books = new ConcurrentSkipListMap<>();
    private final InstantSource clock = InstantSource.system();
    private final LiveBoards boards;
    private volatile @Nullable Instant oldAt;
    final AtomicInteger readings = new AtomicInteger();
    final LiveBoard board;

    TestTopic() {
        Topic topic =
                new Topic(
                        "books",
                        Set.of("books"),
                        principal -> {
                            readings.incrementAndGet();
                            return List.copyOf(asOfNow());
                        },
                        principal -> Optional.ofNullable(oldAt).filter(clock.instant()::isBefore));
        Topic maps = new Topic("maps", Set.of("maps"), principal -> List.of());
        boards = new LiveBoards(List.of(topic, maps), new AtomicLong(), clock, System::nanoTime);
        board = boards.of(ORG);
    }

    private Collection<Book> asOfNow() {
        Instant at = oldAt;
        return at == null || clock.instant().isBefore(at)
                ? books.values()
                : books.values().stream().map(b -> new Book(b.id(), "old " + b.title())).toList();
    }

    /** Its books change by themselves after a while; the board is told that much. */
    void becomesOldIn(Duration time) {
        oldAt = clock.instant().plus(time);
        boards.touch(Set.of("books"));
    }

    void put(String id, String title) {
        books.put(id, new Book(id, title));
        boards.touch(Set.of("books"));
    }

    void remove(String id) {
        books.remove(id);
        boards.touch(Set.of("books"));
    }

    @Override
    public void close() {
        boards.close();
    }
}
