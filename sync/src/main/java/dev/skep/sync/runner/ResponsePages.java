package dev.skep.sync.runner;

import dev.skep.kernel.identity.Principal;
import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.FeedScope;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import dev.skep.wire.Message;
import dev.skep.wire.Message.SyncRequest;
import dev.skep.wire.Message.SyncResponse;
import dev.skep.wire.MessageRows;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pages of this host's own rows, as a hub asks for them. While the hub stores one page, the next is
 * read ahead. One thread at a time.
 */
final class ResponsePages {
    private final Principal.Host self;
    private final SyncSchema schema;
    private final SyncLimits limits;
    private final SyncStore store;

    private @Nullable ReadAhead ahead;

    /** How much the hub wants at once, and whether it wanted as much the time before. */
    private FeedPage.Limits wanted;

    private boolean steady;

    /**
     * A page read ahead of its request, with the answer if the next request is the expected one.
     */
    private record ReadAhead(
            long since, FeedPage.Limits limits, FeedPage page, SyncResponse answer) {}

    ResponsePages(Principal.Host self, SyncSchema schema, SyncLimits limits, SyncStore store) {
        this.self = self;
        this.schema = schema;
        this.limits = limits;
        this.store = store;
        this.wanted = limits.page();
    }

    /** The hub sets how many bytes it wants in a page from now on. */
    void resize(long pageBytes) {
        FeedPage.Limits next = limits.page(pageBytes);
        steady = next.equals(wanted);
        wanted = next;
    }

    /** What was read ahead is not what the hub will ask for. */
    void forget() {
        ahead = null;
    }

    /**
     * The page the hub asks for.
     *
     * @param applied up to where this host has stored the hub's forwards
     */
    SyncResponse answer(SyncRequest request, long applied) {
        ReadAhead answer = find(request, applied);
        ahead = answer.page.hasMore() ? answer : null;
        return answer.answer;
    }

    /** The answer to the request that should come next, if there is more. */
    Optional<Message> readAhead(long applied) {
        ReadAhead last = ahead;
        if (last == null || !last.page.hasMore() || !steady) {
            return Optional.empty();
        }
        long since = last.page.upto();
        FeedPage page = read(since);
        SyncResponse answer = response(last.answer.reqId() + 1, page, applied);
        ahead = new ReadAhead(since, wanted, page, answer);
        return Optional.of(answer);
    }

    private ReadAhead find(SyncRequest request, long applied) {
        ReadAhead known = ahead;
        if (known == null || known.since != request.since() || !known.limits.equals(wanted)) {
            FeedPage page = read(request.since());
            return new ReadAhead(
                    request.since(), wanted, page, response(request.reqId(), page, applied));
        }
        boolean foreseen =
                known.answer.reqId() == request.reqId() && known.answer.applied() == applied;
        return foreseen
                ? known
                : new ReadAhead(
                        known.since,
                        known.limits,
                        known.page,
                        response(request.reqId(), known.page, applied));
    }

    private SyncResponse response(long reqId, FeedPage page, long applied) {
        return new SyncResponse(
                reqId,
                self.id().value(),
                MessageRows.of(page.tables()),
                page.upto(),
                page.head(),
                page.hasMore(),
                applied,
                false);
    }

    private FeedPage read(long since) {
        return store.read(
                db ->
                        OwnPage.withAuthors(
                                db,
                                self,
                                schema.agents(),
                                db.page(
                                        new FeedScope.OwnedBy(self.org(), self.id()),
                                        since,
                                        wanted)));
    }
}
