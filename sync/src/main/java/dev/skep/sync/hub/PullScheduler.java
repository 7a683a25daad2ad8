package dev.skep.sync.hub;

import dev.skep.sync.SyncLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which link is asked next. Links that may have rows take turns for a few slots, so that a
 * hub stores no more at once than it can; links that only receive something need no slot. A link
 * has one request in flight; one that does not answer soon gives its slot back, and one from which
 * nothing arrives at all, when what it was sent must have arrived, counts as silent. Knows no clock
 * and does no I/O; not thread-safe.
 */
final class PullScheduler<L> {
    /** A peer that keeps announcing rows and has none is asked less often. */
    private static final int FALSE_ALARMS = 20;

    private static final Duration FALSE_ALARM_PAUSE = Duration.ofMillis(250);

    private final SyncLimits limits;
    private final Map<L, LinkState> linkStates = new LinkedHashMap<>();
    private final Deque<L> withRows = new ArrayDeque<>();
    private final Deque<L> toNotify = new ArrayDeque<>();
    private int slotsTaken;

    PullScheduler(SyncLimits limits) {
        this.limits = limits;
    }

    private static final class LinkState {
        private @Nullable Instant askedAt;
        private Instant movedAt;
        private Duration onTheWay = Duration.ZERO;
        private Instant lastAt;
        private boolean wanted;
        private boolean queued;
        private boolean ready;
        private boolean holdsSlot;
        private int falseAlarms;
        private @Nullable Instant notBefore;
        private @Nullable Instant toConfirm;

        LinkState(Instant now) {
            lastAt = now;
            movedAt = now;
        }

        void asked(Instant now) {
            askedAt = now;
            movedAt = now;
            onTheWay = Duration.ZERO;
            toConfirm = null;
        }

        boolean isDue(Instant now, SyncLimits limits) {
            return now.isAfter(lastAt.plus(limits.idle()))
                    || (toConfirm != null && now.isAfter(toConfirm.plus(limits.patience())));
        }

        /** A clock that was set back must not make anyone wait for the time in between. */
        void adjustToClock(Instant now) {
            lastAt = lastAt.isAfter(now) ? now : lastAt;
            askedAt = askedAt != null && askedAt.isAfter(now) ? now : askedAt;
            movedAt = movedAt.isAfter(now) ? now : movedAt;
            if (notBefore != null && notBefore.isAfter(now.plus(FALSE_ALARM_PAUSE))) {
                notBefore = now;
            }
            toConfirm = toConfirm != null && toConfirm.isAfter(now) ? now : toConfirm;
        }
    }

    /** Adds a link that is catching up: it is not asked, but it must not fall silent. */
    void join(L link, Instant now) {
        LinkState linkState = new LinkState(now);
        linkState.asked(now);
        linkStates.put(link, linkState);
    }

    /** The link has caught up and takes part from now on. */
    void ready(L link, Instant now) {
        LinkState linkState = linkStates.get(link);
        if (linkState != null) {
            linkState.ready = true;
            answered(link, now, true);
        }
    }

    /** Something arrived from a link that is still catching up. */
    void recordActivity(L link, Instant now) {
        LinkState linkState = linkStates.get(link);
        if (linkState != null) {
            linkState.asked(now);
        }
    }

    /** Something of an answer came, if not all of it. */
    void moved(L link, Instant now) {
        LinkState linkState = linkStates.get(link);
        if (linkState != null) {
            linkState.movedAt = now;
        }
    }

    /** So many bytes of rows go to the link before it can answer. */
    void sent(L link, long bytes) {
        LinkState linkState = linkStates.get(link);
        if (linkState != null) {
            linkState.onTheWay = limits.onTheWay(bytes);
        }
    }

    void leave(L link) {
        LinkState linkState = linkStates.remove(link);
        if (linkState != null) {
            release(linkState);
            if (linkState.queued) {
                // Hosts that come and go while the slots are taken must not fill the queue.
                withRows.remove(link);
                toNotify.remove(link);
            }
        }
    }

    /** How many turns are planned. */
    int waiting() {
        return withRows.size() + toNotify.size();
    }

    /** The link may have rows, so its next turn takes a slot. */
    void queuePull(L link) {
        enqueue(link, withRows);
    }

    /** There is something to send to the link; its answer is small. */
    void queueNotification(L link) {
        enqueue(link, toNotify);
    }

    private void enqueue(L link, Deque<L> queue) {
        LinkState linkState = linkStates.get(link);
        if (linkState == null || !linkState.ready) {
            return;
        }
        if (linkState.askedAt != null) {
            linkState.wanted = true;
        } else if (!linkState.queued) {
            linkState.queued = true;
            queue.add(link);
        }
    }

    /** The link to ask now, if any; it counts as asked. */
    @Nullable L next(Instant now) {
        L link = due(toNotify, now);
        if (link == null && slotsTaken < limits.slots()) {
            link = due(withRows, now);
            LinkState linkState = link == null ? null : linkStates.get(link);
            if (linkState != null) {
                linkState.holdsSlot = true;
                slotsTaken++;
            }
        }
        LinkState linkState = link == null ? null : linkStates.get(link);
        if (linkState != null) {
            linkState.queued = false;
            linkState.wanted = false;
            linkState.asked(now);
            linkState.lastAt = now;
        }
        return link;
    }

    private @Nullable L due(Deque<L> queue, Instant now) {
        for (int left = queue.size(); left > 0; left--) {
            L link = queue.remove();
            LinkState linkState = linkStates.get(link);
            if (linkState != null && linkState.queued) {
                if (linkState.notBefore == null || !now.isBefore(linkState.notBefore)) {
                    return link;
                }
                queue.add(link);
            }
        }
        return null;
    }

    /** The link has answered; with nothing to show for it, it may have cried wolf. */
    void answered(L link, Instant now, boolean useful) {
        LinkState linkState = linkStates.get(link);
        if (linkState == null) {
            return;
        }
        release(linkState);
        linkState.askedAt = null;
        linkState.falseAlarms = useful ? 0 : linkState.falseAlarms + 1;
        linkState.notBefore =
                linkState.falseAlarms > FALSE_ALARMS ? now.plus(FALSE_ALARM_PAUSE) : null;
        if (linkState.wanted) {
            linkState.wanted = false;
            queuePull(link);
        }
    }

    /**
     * The link has answered and has more: whether it goes on at once and keeps its slot. It does
     * while no other link waits for one.
     */
    boolean mayContinue(L link, Instant now) {
        LinkState linkState = linkStates.get(link);
        if (linkState == null || !linkState.holdsSlot || !withRows.isEmpty()) {
            return false;
        }
        linkState.wanted = false;
        linkState.falseAlarms = 0;
        linkState.asked(now);
        linkState.lastAt = now;
        return true;
    }

    private void release(LinkState linkState) {
        if (linkState.holdsSlot) {
            linkState.holdsSlot = false;
            slotsTaken--;
        }
    }

    /** Links whose answer is overdue, to be dropped; others behind a slow one go on. */
    List<L> overdueLinks(Instant now) {
        List<L> silent = new ArrayList<>();
        linkStates.forEach(
                (link, linkState) -> {
                    linkState.adjustToClock(now);
                    if (linkState.askedAt == null) {
                        return;
                    }
                    if (now.isAfter(linkState.askedAt.plus(limits.patience()))) {
                        release(linkState);
                    }
                    Instant late =
                            linkState.movedAt.plus(limits.timeout()).plus(linkState.onTheWay);
                    if (now.isAfter(late)) {
                        silent.add(link);
                    }
                });
        return silent;
    }

    /** The links whose answer is awaited, and since when. */
    Map<L, HubSync.PendingResponse> asked() {
        Map<L, HubSync.PendingResponse> asked = new LinkedHashMap<>();
        linkStates.forEach(
                (link, linkState) -> {
                    if (linkState.askedAt != null) {
                        asked.put(
                                link,
                                new HubSync.PendingResponse(linkState.askedAt, linkState.movedAt));
                    }
                });
        return asked;
    }

    /** Rows of the link were stored; its next request confirms that, soon if there is no other. */
    void stored(L link, Instant now) {
        LinkState linkState = linkStates.get(link);
        if (linkState != null) {
            linkState.toConfirm = now;
        }
    }

    /**
     * Links that have not been asked for long, as a nudge may have been lost, and those whose rows
     * were stored since.
     */
    List<L> idleLinks(Instant now) {
        List<L> idle = new ArrayList<>();
        linkStates.forEach(
                (link, linkState) -> {
                    if (linkState.askedAt == null && linkState.isDue(now, limits)) {
                        idle.add(link);
                    }
                });
        return idle;
    }
}
