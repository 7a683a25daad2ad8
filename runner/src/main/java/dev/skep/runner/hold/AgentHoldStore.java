package dev.skep.runner.hold;

import dev.skep.directory.audit.AuditStore;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Transaction;
import java.util.List;
import java.util.Map;

/** The local table {@code agent_holds}, with one row for each holder. */
public final class AgentHoldStore {
    private static final String SUBJECT = "agents";

    private final Database database;
    private final AuditStore audit;

    public AgentHoldStore(Database database, AuditStore audit) {
        this.database = database;
        this.audit = audit;
    }

    public List<AgentHold> all(Principal who) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                """
                                SELECT holder, hold_id, held_by, reason, since, lifted
                                FROM agent_holds WHERE org_id = ? ORDER BY holder
                                """,
                                AgentHoldStore::hold,
                                who.org().value()));
    }

    /** Durable when this returns; replaces what the holder had. */
    void put(Principal who, AgentHold hold) {
        database.write(transaction -> put(transaction, who, hold));
    }

    /** The same, wanted on this host. */
    void put(Actor actor, Principal who, AgentHold hold) {
        database.write(
                transaction -> {
                    audit.record(
                            transaction,
                            actor,
                            "agents_stopped",
                            SUBJECT,
                            Map.of("by", hold.by(), "reason", hold.reason()));
                    return put(transaction, who, hold);
                });
    }

    private static int put(Transaction transaction, Principal who, AgentHold hold) {
        return transaction.update(
                """
                                INSERT INTO agent_holds
                                    (org_id, holder, hold_id, held_by, reason, since, lifted)
                                VALUES (?, ?, ?, ?, ?, ?, ?)
                                ON CONFLICT (org_id, holder) DO UPDATE SET
                                    hold_id = excluded.hold_id, held_by = excluded.held_by,
                                    reason = excluded.reason, since = excluded.since,
                                    lifted = excluded.lifted
                                """,
                who.org().value(),
                hold.holder(),
                hold.id(),
                hold.by(),
                hold.reason(),
                hold.since(),
                hold.lifted());
    }

    void remove(Principal who, String holder) {
        database.write(
                transaction ->
                        transaction.update(
                                "DELETE FROM agent_holds WHERE org_id = ? AND holder = ?",
                                who.org().value(),
                                holder));
    }

    /** Lifts all of them; the holds of hubs are remembered as lifted. */
    public int liftAll(Actor actor, Principal who) {
        return database.write(
                transaction -> {
                    int own =
                            transaction.update(
                                    "DELETE FROM agent_holds WHERE org_id = ? AND holder = ?",
                                    who.org().value(),
                                    AgentHold.OWNER);
                    int all =
                            own
                                    + transaction.update(
                                            "UPDATE agent_holds SET lifted = ? WHERE org_id = ? AND lifted = ?",
                                            true,
                                            who.org().value(),
                                            false);
                    if (all > 0) {
                        audit.record(
                                transaction,
                                actor,
                                "agents_let_go",
                                SUBJECT,
                                Map.of("holds", Integer.toString(all)));
                    }
                    return all;
                });
    }

    private static AgentHold hold(ResultRow row) {
        return new AgentHold(
                row.text("holder"),
                row.text("hold_id"),
                row.text("held_by"),
                row.text("reason"),
                row.time("since"),
                row.flag("lifted"));
    }
}
