package dev.skep.store.feed;

import dev.skep.kernel.row.TableRows;
import java.util.List;

/**
 * A stretch of the change stream: current rows only, cut by rows and by bytes.
 *
 * @param upto the position this page reaches, to be asked for again as {@code after}
 * @param head the clock when the page was built
 */
public record FeedPage(List<TableRows> tables, long upto, long head, boolean hasMore) {
    public int rowCount() {
        return tables.stream().mapToInt(table -> table.rows().size()).sum();
    }

    public boolean isEmpty() {
        return tables.isEmpty();
    }

    /**
     * How much one page may hold. The first row always fits, or a large one would block the way.
     */
    public record Limits(int rows, long bytes) {}
}
