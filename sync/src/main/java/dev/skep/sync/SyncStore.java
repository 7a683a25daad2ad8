package dev.skep.sync;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.FeedScope;
import dev.skep.store.feed.ReplicaWriter;
import dev.skep.store.feed.RowsByOwner;
import dev.skep.wire.Message;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * What the two ends of a link need of a database. Production uses SQL; the simulation also has one
 * in memory, and both must give the same results. Thread-safe.
 */
public interface SyncStore {
    /** Reads one consistent state. */
    <T> T read(Function<? super Reading, T> work);

    /** Runs the work in one transaction: all of it is stored, or nothing. */
    <T> T write(Function<? super Writing, T> work);

    /** What can be asked. */
    interface Reading {
        /** The last stamp taken. */
        long now();

        /** Whether this database's timeline made the position. */
        boolean isKnown(long position);

        FeedPage page(FeedScope scope, long after, FeedPage.Limits limits);

        RowsByOwner.OwnerPage held(
                OrgId org, HostId owner, RowsByOwner.KeyCursor from, FeedPage.Limits limits);

        /** What is known about a peer; {@link SyncPeer#NEW} if it was never met. */
        SyncPeer peer(String id);

        /** Per epoch the highest stamp of a host that was met. */
        Map<Long, Long> seen(String host);

        /** The same for every host but one. */
        Map<String, Map<Long, Long>> seenExcept(String host);

        /** Who owns the rows stored under the keys of these, by {@link SyncTable#keyOf}. */
        Map<List<Object>, ReplicaWriter.Owner> owners(SyncTable table, List<SyncRow> rows);

        /** Whether the org has a row with this id. */
        boolean holds(OrgId org, SyncTable table, String id);

        /** The epoch of a host's last heal, 0 if it never was: its older rows are of the past. */
        long healedEpoch(String host);

        /** Grants to a host whose agent's row here does not carry them yet. */
        List<Message.Grant> pendingGrants(OrgId org, HostId host);

        /** The highest generation an agent has here, in its row or in a grant. */
        long generation(OrgId org, String userId);

        boolean isGranted(OrgId org, HostId host, String userId, long gen);

        /** Those of the agents that this host owns or once owned, as far as is known. */
        Set<String> agentsOf(OrgId org, HostId host, Set<String> agents);

        /** On a hub: whether rows of some host were set aside until this agent is known. */
        boolean isAwaited(OrgId org, String userId);

        /**
         * On a runner: where a hub is to be asked again for rows that were set aside until their
         * agent was known, which it is by now.
         */
        OptionalLong askAgainFrom(String hub);

        /** A host's own rows of these agents that stand after a place in its feed. */
        List<SyncRow> ownAgents(OrgId org, HostId self, Set<String> agents, long after);

        /** A host's live, unmarked rows whose name another row had first. */
        List<NameConflict> nameConflicts(OrgId org, HostId host);

        /** Own marked rows whose name no other live row has any more. */
        List<String> aloneWithName(OrgId org, HostId self, NamedTable table);

        /** Rows of a host that a hub has set aside, some of the latest. */
        List<Message.Reject> rejected(OrgId org, HostId host);

        /** How far a host has purged its own rows by age. */
        RetentionFloors floors(String host);

        /** On a hub: the lowest stamp of a host's rows that were set aside; 0 for none. */
        long quarantinedFrom(String host);
    }

    /** What can be done. */
    interface Writing extends Reading {
        /** Closes the open epoch and opens one above it and above the given one. */
        long openEpoch(long above);

        /** Stores what is newer, from its owner, and returns the number of rows. */
        int apply(OrgId org, List<TableRows> rows);

        /** Gives a host's own rows new stamps where they have no place in the feed. */
        void stampUnfed(OrgId org, HostId self);

        /** Gives all own rows new stamps, that of the host last and marked with the epoch. */
        void restampAll(OrgId org, HostId self, long epoch);

        /** Stores a new link's number, higher than any before, and returns the host's state. */
        SyncPeer openLink(String host);

        /** Moves a host's positions, unless a newer link of it exists. */
        boolean advance(String host, long linkNo, long since, long head);

        /**
         * Notes the end of a heal: the host is pulled from the start again.
         *
         * @param at when that was, by the clock that {@link SyncPeer#looksCloned} is asked with
         */
        boolean healed(String host, long linkNo, long head, Instant at);

        /** On a runner: how far a hub's forwards are stored, and how far it has pulled. */
        void store(String hub, long cursor, long hubHead, long pulled);

        /** On a runner: all hubs start over, so nothing counts as pulled. */
        void forgetPulled();

        void mergeSeen(Map<String, Map<Long, Long>> seen);

        void quarantine(OrgId org, List<QuarantinedRow> rows);

        /** On a hub: rows of a host from this stamp on do not count as pulled; some are aside. */
        void holdFrom(String host, long stamp);

        /**
         * On a runner: keeps a copy in the quarantine of the own row under this one's key, which is
         * another host's from now on, and takes a stamp. What hubs pull from then on lacks the row,
         * so a backup in which it is still this host's must not look as new as they know it.
         */
        void giveUp(OrgId org, SyncTable table, SyncRow like);

        /** Moves a host's rows of a lost timeline to the quarantine, except those it purged. */
        void quarantineLost(OrgId org, String host, long healedEpoch);

        /**
         * Remembers the hosts of agents from rows just stored, and returns the hosts whose rows
         * waited for that.
         */
        Set<HostId> noteHosts(OrgId org, List<SyncRow> agents);

        /** Keeps in mind that rows of a host were set aside until these agents are known as its. */
        void awaitAgents(OrgId org, HostId host, Set<String> agents);

        /**
         * On a runner: keeps in mind that rows of a host, which a hub forwarded after a cursor,
         * were set aside until these agents are known as the host's.
         */
        void awaitForwards(String hub, long from, OrgId org, HostId host, Set<String> agents);

        /**
         * On a runner: moves the hub's cursor back; what waited for agents known now comes again.
         */
        void askAgain(String hub, long from);

        /** Pulls hosts from the start again, over new links: what waited comes once more. */
        void restartPull(OrgId org, Set<HostId> hosts);

        /** Keeps claims in step with rows just stored. */
        void settleNames(OrgId org, SyncTable table, List<SyncRow> rows);

        /** Marks an own row whose name another row had first, or removes the mark. */
        void markName(OrgId org, HostId self, NamedTable table, String id, boolean taken);

        /**
         * Keeps an operator's decision that a host takes an agent over. If rows of it came before
         * and were set aside, the host is pulled from the start again, over a new link.
         */
        void grant(OrgId org, HostId to, String userId, long gen);

        /** Makes an agent's row this host's, with the generation of a grant. */
        void adopt(OrgId org, HostId self, String userId, long gen);

        /**
         * On a runner, before an agent becomes its own: remembers that it came from elsewhere, and
         * by which hub, so that its file is never taken for one that was written here. An agent
         * that is this host's already is not changed.
         */
        void recordOrigin(OrgId org, HostId self, String userId, String hubAddress);
    }
}
