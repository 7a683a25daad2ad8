package dev.skep.agents.cost;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table {@code costs}: append-only. */
public final class CostStore {
    private final Database database;
    private final OwnRowWriter own;
    private final CostTotalsStore totals;

    public CostStore(Database database, OwnRowWriter own) {
        this.database = database;
        this.own = own;
        this.totals = new CostTotalsStore(database);
    }

    public void append(Transaction transaction, Cost cost) {
        own.put(transaction, Cost.ROWS, cost, cost.at());
    }

    /** When an agent of this host spent how much. */
    public record Spent(AgentId agent, Instant at, long micros) {}

    /** What this host spent since then, the oldest first. */
    public List<Spent> spentHereSince(Instant since) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                """
                                SELECT user_id, cost, created_at FROM costs
                                WHERE org_id = ? AND host_id = ? AND created_at >= ? AND cost > 0
                                ORDER BY created_at, id
                                """,
                                row ->
                                        new Spent(
                                                new AgentId(row.text("user_id")),
                                                row.time("created_at"),
                                                row.number("cost")),
                                own.org().value(),
                                own.self().value(),
                                Timestamps.format(since)));
    }

    /** All costs of the org that this database has, added up. */
    public List<CostSummary> summarize(
            Principal who, CostSummary.By by, @Nullable AgentId agent, @Nullable Instant since) {
        return totals.summarize(who, by, agent, since);
    }
}
