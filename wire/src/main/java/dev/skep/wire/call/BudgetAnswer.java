package dev.skep.wire.call;

import java.util.List;
import java.util.Optional;

/**
 * What a hub answers to a {@link BudgetExchange}.
 *
 * @param sequence of the exchange that is answered
 * @param closing where the hub grants nothing until its hosts have told all they know: the id that
 *     they repeat with it
 * @param budgets all that apply to this host; others no longer do
 * @param settled the leases that the hub has taken back; the host need not return them again
 */
public record BudgetAnswer(
        long sequence,
        Optional<String> closing,
        List<Lent> budgets,
        List<Grant> grants,
        List<Refusal> refusals,
        List<String> settled) {

    public BudgetAnswer {
        budgets = List.copyOf(budgets);
        grants = List.copyOf(grants);
        refusals = List.copyOf(refusals);
        settled = List.copyOf(settled);
    }

    /**
     * A budget that applies to the host.
     *
     * @param agent the only agent that it is for; empty for all of the host
     * @param amount micro-dollars in any stretch of time as long as the window
     * @param free what the hub could still lend, if it has counted
     */
    public record Lent(
            String id,
            String name,
            Optional<String> agent,
            long amount,
            long window,
            Optional<Long> free) {}

    /**
     * A lease.
     *
     * @param lasts for how many milliseconds from when the host asked
     */
    public record Grant(String request, String lease, String budget, long amount, long lasts) {}

    /**
     * A request that is not granted.
     *
     * @param why for people
     * @param again after how many milliseconds it is worth asking again
     */
    public record Refusal(String request, String why, long again) {}

    public String json() {
        return CallJson.object(
                json -> {
                    json.writeNumberProperty("sequence", sequence);
                    closing.ifPresent(id -> json.writeStringProperty("closing", id));
                    CallJson.array(
                            json,
                            "budgets",
                            budgets,
                            (each, budget) -> {
                                each.writeStringProperty("id", budget.id());
                                each.writeStringProperty("name", budget.name());
                                budget.agent()
                                        .ifPresent(id -> each.writeStringProperty("agent", id));
                                each.writeNumberProperty("amount", budget.amount());
                                each.writeNumberProperty("window", budget.window());
                                budget.free()
                                        .ifPresent(left -> each.writeNumberProperty("free", left));
                            });
                    CallJson.array(
                            json,
                            "grants",
                            grants,
                            (each, grant) -> {
                                each.writeStringProperty("request", grant.request());
                                each.writeStringProperty("lease", grant.lease());
                                each.writeStringProperty("budget", grant.budget());
                                each.writeNumberProperty("amount", grant.amount());
                                each.writeNumberProperty("lasts", grant.lasts());
                            });
                    CallJson.array(
                            json,
                            "refusals",
                            refusals,
                            (each, refusal) -> {
                                each.writeStringProperty("request", refusal.request());
                                each.writeStringProperty("why", refusal.why());
                                each.writeNumberProperty("again", refusal.again());
                            });
                    json.writeArrayPropertyStart("settled");
                    settled.forEach(json::writeString);
                    json.writeEndArray();
                });
    }

    static BudgetAnswer read(MessageFields fields) {
        return new BudgetAnswer(
                BudgetExchange.amount(fields, "sequence"),
                fields.optionalText("closing"),
                BudgetExchange.list(
                        fields,
                        "budgets",
                        budget ->
                                new Lent(
                                        budget.text("id"),
                                        budget.text("name"),
                                        budget.optionalText("agent"),
                                        BudgetExchange.amount(budget, "amount"),
                                        BudgetExchange.amount(budget, "window"),
                                        budget.optionalNumber("free"))),
                BudgetExchange.list(
                        fields,
                        "grants",
                        grant ->
                                new Grant(
                                        grant.text("request"),
                                        grant.text("lease"),
                                        grant.text("budget"),
                                        BudgetExchange.amount(grant, "amount"),
                                        BudgetExchange.amount(grant, "lasts"))),
                BudgetExchange.list(
                        fields,
                        "refusals",
                        refusal ->
                                new Refusal(
                                        refusal.text("request"),
                                        refusal.text("why"),
                                        BudgetExchange.amount(refusal, "again"))),
                fields.textList("settled"));
    }
}
