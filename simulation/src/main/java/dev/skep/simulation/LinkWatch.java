package dev.skep.simulation;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import dev.skep.wire.Message;
import dev.skep.wire.Message.CatchUpResponse;
import dev.skep.wire.Message.SyncRequest;
import dev.skep.wire.Message.SyncResponse;

/**
 * What must be true of one connection at every step: one page at a time, none larger than agreed,
 * and a catch-up that ends where the hub was when it began, whatever is written meanwhile.
 */
final class LinkWatch {
    private static final long NOT_BEGUN = -1;

    private final String who;
    private long target = NOT_BEGUN;
    private boolean hasPage;
    private boolean asked;

    LinkWatch(String who) {
        this.who = who;
    }

    /** Whether the runner has got a first page, and more is to come. */
    boolean hasPage() {
        return hasPage;
    }

    /** The runner wants the next page; the hub's clock is there. */
    void catchUp(long clock) {
        target = target == NOT_BEGUN ? clock : target;
    }

    void toRunner(Message message) {
        switch (message) {
            case CatchUpResponse m -> {
                limited(m.rows().count());
                hasPage |= !m.wantSeen();
                if (m.hasMore() && !m.wantSeen() && m.cursor() >= target) {
                    throw new Violation("%s is to catch up for ever".formatted(who));
                }
            }
            case SyncRequest m -> {
                Message.Forwards forwards = m.forwards();
                Message.Heal heal = m.heal();
                limited(forwards == null ? 0 : forwards.rows().count());
                limited(heal == null ? 0 : heal.rows().count());
            }
            default -> {}
        }
    }

    /** A request is on its way; the one before it must have been answered. */
    void asks(Message message) {
        if (message instanceof SyncRequest) {
            if (asked) {
                throw new Violation("two requests in flight to %s".formatted(who));
            }
            asked = true;
        }
    }

    void toHub(Message message) {
        asked &= message instanceof Message.SyncAvailable;
        if (message instanceof SyncResponse m) {
            limited(ofThePage(m));
        }
    }

    /** Agents of later in the feed come with what was written for them, and are not counted. */
    private static int ofThePage(SyncResponse m) {
        int count = 0;
        for (TableRows part : m.rows().tables()) {
            boolean agents = part.table().name().equals(AgentTables.USERS.name());
            for (SyncRow row : part.rows()) {
                count += agents && row.ver() > m.upto() ? 0 : 1;
            }
        }
        return count;
    }

    private void limited(int rows) {
        if (rows > HubMachine.LIMITS.page().rows()) {
            throw new Violation("a page of %d rows on the link of %s".formatted(rows, who));
        }
    }
}
