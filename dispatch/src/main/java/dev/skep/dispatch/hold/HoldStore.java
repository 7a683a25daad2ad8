package dev.skep.dispatch.hold;

import dev.skep.directory.host.HostNames;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.wire.call.HoldState;
import dev.skep.wire.call.HubCall;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The tables {@code org_holds} and {@code host_holds}; always of the caller's org. */
public final class HoldStore {
    private static final String SHOWN =
            "coalesce(%s, h.display_name, h.host_id)"
                    .formatted(HostNames.sql("h.host_id", "h.org_id"));

    /** What is wanted of all agents now. */
    public Optional<OrgHold> inForce(Snapshot snapshot, Principal who) {
        return snapshot.first(
                "SELECT id, held_by, reason, held_at FROM org_holds WHERE org_id = ? AND lifted_at IS NULL",
                HoldStore::hold,
                who.org().value());
    }

    /** Whether somebody took this one back; false also for one that this hub has forgotten. */
    boolean isLifted(Snapshot snapshot, Principal who, String id) {
        return snapshot.first(
                        "SELECT 1 AS one FROM org_holds WHERE org_id = ? AND id = ? AND lifted_at IS NOT NULL",
                        _ -> true,
                        who.org().value(),
                        id)
                .isPresent();
    }

    /** False if one is in force already. */
    boolean begin(Transaction transaction, Principal who, OrgHold hold) {
        return transaction.update(
                        """
                        INSERT INTO org_holds (id, org_id, held_by, reason, held_at)
                        VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING""",
                        hold.id(),
                        who.org().value(),
                        hold.by(),
                        hold.reason(),
                        hold.since())
                > 0;
    }

    /**
     * Takes back what is in force, and what hosts still hold by a hold that this hub has forgotten,
     * as after it was restored.
     *
     * @return how many holds that were
     */
    int lift(Transaction transaction, Principal who, String by, Instant now) {
        int lifted =
                transaction.update(
                        "UPDATE org_holds SET lifted_at = ?, lifted_by = ? WHERE org_id = ? AND lifted_at IS NULL",
                        now,
                        by,
                        who.org().value());
        List<String> forgotten =
                transaction.list(
                        """
                        SELECT DISTINCT hold_id FROM host_holds
                        WHERE org_id = ? AND state = ? AND hold_id IS NOT NULL
                            AND hold_id NOT IN (SELECT id FROM org_holds)""",
                        row -> row.text("hold_id"),
                        who.org().value(),
                        HoldState.HELD.label());
        for (String id : forgotten) {
            lifted +=
                    transaction.update(
                            """
                            INSERT INTO org_holds
                                (id, org_id, held_by, reason, held_at, lifted_at, lifted_by)
                            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING""",
                            id,
                            who.org().value(),
                            "somebody before this hub was restored",
                            "",
                            now,
                            now,
                            by);
        }
        return lifted;
    }

    /** Whether the host has said something else last. */
    boolean isNews(Snapshot snapshot, Principal.Host host, HubCall.Hold said) {
        return snapshot.first(
                        "SELECT hold_id, state FROM host_holds WHERE host_id = ? AND org_id = ?",
                        row ->
                                row.text("state").equals(said.state().label())
                                        && Optional.ofNullable(row.textOrNull("hold_id"))
                                                .equals(said.hold()),
                        host.id().value(),
                        host.org().value())
                .filter(same -> same)
                .isEmpty();
    }

    void report(Transaction transaction, Principal.Host host, HubCall.Hold said, Instant now) {
        transaction.update(
                """
                INSERT INTO host_holds (host_id, org_id, hold_id, state, reported_at)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (host_id) DO UPDATE SET org_id = excluded.org_id,
                    hold_id = excluded.hold_id, state = excluded.state,
                    reported_at = excluded.reported_at""",
                host.id().value(),
                host.org().value(),
                said.hold().orElse(null),
                said.state().label(),
                now);
    }

    /** All hosts of the org and what they said, by name. */
    List<HostHold.Stored> hosts(Snapshot snapshot, Principal who) {
        return snapshot.list(
                """
                SELECT h.host_id, %s AS shown, h.allows, r.hold_id, r.state AS said
                FROM host_health h
                LEFT JOIN host_holds r ON r.host_id = h.host_id AND r.org_id = h.org_id
                WHERE h.org_id = ? ORDER BY shown, h.host_id"""
                        .formatted(SHOWN),
                HoldStore::host,
                who.org().value());
    }

    private static OrgHold hold(ResultRow row) {
        return new OrgHold(
                row.text("id"), row.text("held_by"), row.text("reason"), row.time("held_at"));
    }

    private static HostHold.Stored host(ResultRow row) {
        return new HostHold.Stored(
                row.text("host_id"),
                row.text("shown"),
                Optional.ofNullable(row.textOrNull("allows")).map(Consents::parse),
                Optional.ofNullable(row.textOrNull("hold_id")),
                Optional.ofNullable(row.textOrNull("said")).map(HoldState::of));
    }
}
