package dev.skep.models.money;

import dev.skep.agents.cost.Cost;
import dev.skep.agents.cost.CostStore;
import dev.skep.agents.session.SessionKey;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Transaction;
import java.util.List;
import java.util.function.Consumer;

/** The local table {@code open_calls}. */
public final class OpenCallStore {
    private final Database database;

    public OpenCallStore(Database database) {
        this.database = database;
    }

    /**
     * Durable before the model is asked.
     *
     * @param also is stored in the same transaction
     */
    public void begin(Principal who, OpenCall call, Consumer<Transaction> also) {
        database.write(
                transaction -> {
                    also.accept(transaction);
                    return transaction.update(
                            """
                            INSERT INTO open_calls
                                (id, org_id, user_id, run_id, session_id, model, source, at_most, begun_at)
                            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                            """,
                            call.id(),
                            who.org().value(),
                            call.session().agent().value(),
                            call.session().run(),
                            Integer.toString(call.session().session()),
                            call.model(),
                            call.source(),
                            call.atMost(),
                            call.begunAt());
                });
    }

    /** In the transaction that stores what the call really cost. */
    public void end(Transaction transaction, String id) {
        transaction.update("DELETE FROM open_calls WHERE id = ?", id);
    }

    /**
     * Turns what a crash left behind into costs of the source {@code interrupted}; the provider may
     * have charged them, and a limit must not be passed by crashing. Says how many there were.
     */
    public int settleInterrupted(Principal who, CostStore costs) {
        return database.write(
                transaction -> {
                    List<Cost> left =
                            transaction.list(
                                    """
                                    SELECT id, user_id, run_id, session_id, model, at_most, begun_at
                                    FROM open_calls WHERE org_id = ?
                                    """,
                                    OpenCallStore::cost,
                                    who.org().value());
                    for (Cost cost : left) {
                        costs.append(transaction, cost);
                        end(transaction, cost.id());
                    }
                    return left.size();
                });
    }

    private static Cost cost(ResultRow row) {
        return new Cost(
                row.text("id"),
                new SessionKey(
                        new AgentId(row.text("user_id")),
                        row.text("run_id"),
                        Integer.parseInt(row.text("session_id"))),
                "interrupted",
                row.text("model"),
                row.number("at_most"),
                0,
                0,
                0,
                0,
                row.time("begun_at"));
    }
}
