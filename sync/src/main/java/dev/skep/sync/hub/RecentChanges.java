package dev.skep.sync.hub;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.FeedScope;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncStore;
import dev.skep.wire.MessageRows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The most recent shared rows of one org, kept in memory so that a row that just arrived goes to
 * all live links from one read and one encoding. It is filled only from the database, in feed
 * order, so rows that another hub process stored are in it too. Bounded: a link that is further
 * behind reads the database. Thread-safe.
 */
final class RecentChanges {
    private static final int STRETCHES_KEPT = 1_000;

    private final OrgId org;
    private final SyncLimits limits;
    private final Deque<ChangeRange> changeRanges = new ArrayDeque<>();
    private final Map<PageRange, SharedPage> sharedBySpan = new LinkedHashMap<>();
    private long start;
    private long end;
    private long bytes;
    private long sharedBytes;

    /** Starts at the clock: what is older is in the database. */
    RecentChanges(OrgId org, SyncLimits limits, long now) {
        this.org = org;
        this.limits = limits;
        this.start = now;
        this.end = now;
    }

    /** Rows a host has not got yet, and the position it has got to with them. */
    record Forwardable(MessageRows rows, long cursor, long head) {}

    /** From where to where; what fits into one page differs from link to link. */
    private record PageRange(long after, long upto) {}

    /** The page for all links that lack the same rows, kept while nothing new comes. */
    private record SharedPage(Forwardable forwardable, long size) {}

    private record ChangeRange(
            long after,
            long upto,
            List<TableRows> tables,
            Set<String> owners,
            int rows,
            long size) {}

    /**
     * Reads what is new; one reader at a time. Returns the owners of what was read, empty if
     * nothing was.
     */
    Set<String> readNewChanges(SyncStore store) {
        Set<String> owners = new HashSet<>();
        boolean more = true;
        while (more) {
            long after = end();
            // In pieces that fit into the first page of any link, and are shared by all.
            FeedPage page =
                    store.read(
                            db ->
                                    db.page(
                                            new FeedScope.Shared(org),
                                            after,
                                            limits.page(PageSizer.FIRST)));
            append(after, page);
            page.tables().forEach(part -> part.rows().forEach(row -> owners.add(row.hostId())));
            more = page.hasMore();
        }
        return owners;
    }

    private synchronized long end() {
        return end;
    }

    private synchronized void append(long after, FeedPage page) {
        end = page.upto();
        sharedBySpan.clear();
        sharedBytes = 0;
        if (page.isEmpty()) {
            return;
        }
        Set<String> owners = new HashSet<>();
        long size = 0;
        for (TableRows part : page.tables()) {
            for (SyncRow row : part.rows()) {
                owners.add(row.hostId());
                size += row.size();
            }
        }
        changeRanges.add(
                new ChangeRange(after, page.upto(), page.tables(), owners, page.rowCount(), size));
        bytes += size;
        while (bytes > limits.tailBytes() || changeRanges.size() > STRETCHES_KEPT) {
            ChangeRange oldest = changeRanges.remove();
            bytes -= oldest.size;
            start = oldest.upto;
        }
    }

    /**
     * What follows a position and fits into a page, or nothing if the tail does not reach back that
     * far, or has it in larger pieces only.
     */
    synchronized Optional<Forwardable> after(long position, HostId reader, FeedPage.Limits limits) {
        if (position >= end) {
            return Optional.of(new Forwardable(MessageRows.NONE, position, position));
        }
        if (position < start) {
            return Optional.empty();
        }
        if (changeRanges.isEmpty() || position >= changeRanges.getLast().upto) {
            return Optional.of(new Forwardable(MessageRows.NONE, end, end));
        }
        List<ChangeRange> missing = missing(position, limits);
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        if (missing.stream().anyMatch(changeRange -> changeRange.owners.contains(reader.value()))) {
            return Optional.of(forwardable(missing, reader.value()));
        }
        return Optional.of(shared(position, missing));
    }

    private List<ChangeRange> missing(long position, FeedPage.Limits limits) {
        List<ChangeRange> missing = new ArrayList<>();
        long size = 0;
        int rows = 0;
        for (ChangeRange changeRange : changeRanges) {
            if (changeRange.upto > position) {
                size += changeRange.size;
                rows += changeRange.rows;
                boolean begun = changeRange.after < position;
                if (begun || rows > limits.rows() || size > limits.bytes()) {
                    break;
                }
                missing.add(changeRange);
            }
        }
        return missing;
    }

    /** Links that fell behind at many places must not keep as many pages in memory. */
    private Forwardable shared(long position, List<ChangeRange> missing) {
        PageRange pageRange = new PageRange(position, missing.getLast().upto);
        SharedPage known = sharedBySpan.get(pageRange);
        if (known != null) {
            return known.forwardable;
        }
        long size = missing.stream().mapToLong(ChangeRange::size).sum();
        SharedPage made = new SharedPage(forwardable(missing, null), size);
        sharedBySpan.put(pageRange, made);
        sharedBytes += size;
        Iterator<SharedPage> oldest = sharedBySpan.values().iterator();
        while (sharedBytes > limits.tailBytes()) {
            sharedBytes -= oldest.next().size;
            oldest.remove();
        }
        return made.forwardable;
    }

    /** How many bytes of rows are kept here, those of pages ready to be sent included. */
    synchronized long keptBytes() {
        return bytes + sharedBytes;
    }

    private Forwardable forwardable(List<ChangeRange> changeRanges, @Nullable String reader) {
        Map<String, TableRows> byTable = new LinkedHashMap<>();
        for (ChangeRange changeRange : changeRanges) {
            for (TableRows part : changeRange.tables) {
                List<SyncRow> rows =
                        byTable.computeIfAbsent(
                                        part.table().name(),
                                        _ -> new TableRows(part.table(), new ArrayList<>()))
                                .rows();
                for (SyncRow row : part.rows()) {
                    if (!row.hostId().equals(reader)) {
                        rows.add(row);
                    }
                }
            }
        }
        List<TableRows> filled =
                byTable.values().stream().filter(part -> !part.rows().isEmpty()).toList();
        boolean all =
                changeRanges.isEmpty()
                        || changeRanges.getLast().upto == this.changeRanges.getLast().upto;
        return new Forwardable(
                MessageRows.of(filled), all ? end : changeRanges.getLast().upto, end);
    }
}
