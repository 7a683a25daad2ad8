package dev.skep.sync.runner;

import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.feed.FeedPage;
import dev.skep.sync.SyncStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A page of a host's own rows, with the agents they are written for. An agent's row that has
 * changed since stands later in the feed, and a hub that knows nothing of the host yet would set
 * aside all that comes before it. It comes again at its place, when it is nothing new.
 */
final class OwnPage {
    /** More would make a page too long; what lacks its agent waits at the hub. */
    private static final int MOST_AGENTS = 100;

    private OwnPage() {}

    static FeedPage withAuthors(
            SyncStore.Reading db, Principal.Host self, SyncTable agents, FeedPage page) {
        if (!page.hasMore()) {
            return page;
        }
        Set<String> named = new HashSet<>();
        for (TableRows part : page.tables()) {
            part.rows().forEach(row -> part.table().authorOf(row).ifPresent(named::add));
        }
        if (named.isEmpty() || named.size() > MOST_AGENTS) {
            return page;
        }
        List<SyncRow> later = db.ownAgents(self.org(), self.id(), named, page.upto());
        if (later.isEmpty()) {
            return page;
        }
        List<SyncRow> all = new ArrayList<>();
        List<TableRows> tables = new ArrayList<>();
        for (TableRows part : page.tables()) {
            if (part.table().equals(agents)) {
                all.addAll(part.rows());
            } else {
                tables.add(part);
            }
        }
        all.addAll(later);
        tables.addFirst(new TableRows(agents, all));
        return new FeedPage(tables, page.upto(), page.head(), page.hasMore());
    }
}
