package dev.skep.supervisor.live;

import dev.skep.kernel.event.Events;
import dev.skep.kernel.id.OrgId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A topic whose rows a test sets, beside one without any, on a board of their own. */
final class Shelf implements AutoCloseable {
    static final OrgId ORG = new OrgId("acme");

    /** A row of it. */
    record Book(String id, String title) implements Keyed {}

    private final Map<String, Book> books = new ConcurrentSkipListMap<>();
    private final LiveBoards boards;
    final AtomicInteger readings = new AtomicInteger();
    final LiveBoard board;

    Shelf() {
        Topic topic =
                new Topic(
                        "books",
                        Set.of("books"),
                        principal -> {
                            readings.incrementAndGet();
                            return List.copyOf(books.values());
                        });
        Topic maps = new Topic("maps", Set.of("maps"), principal -> List.of());
        boards = new LiveBoards(List.of(topic, maps), new Events(), System::nanoTime);
        boards.start();
        board = boards.of(ORG);
    }

    void put(String id, String title) {
        books.put(id, new Book(id, title));
        boards.touchAll();
    }

    void remove(String id) {
        books.remove(id);
        boards.touchAll();
    }

    @Override
    public void close() {
        boards.close();
    }
}
