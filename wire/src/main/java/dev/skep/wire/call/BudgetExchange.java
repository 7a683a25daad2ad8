package dev.skep.wire.call;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a host tells a hub about the hub's budgets, and the leases that it asks for. Every part of
 * it may come twice or late without harm: a request is granted once, and a lease is returned once.
 *
 * @param ledger the host's ledger of leases, whose id is new where the host has lost the old one
 * @param sequence counts what this ledger has told this hub
 * @param acknowledged the highest sequence that the hub has answered: a hub that knows less of this
 *     ledger has lost its past
 * @param closing repeats the id of the hub's closing, where this host tells all that it knows
 * @param leases those that the host holds and returns; where the hub is closed, those before too
 * @param states one for each budget that the host has heard of
 * @param wants the leases that it asks for
 */
public record BudgetExchange(
        String ledger,
        long sequence,
        long acknowledged,
        Optional<String> closing,
        List<LeaseReport> leases,
        List<BudgetState> states,
        List<Want> wants)
        implements HubCall<BudgetAnswer> {
    public static final String PATH = "/api/agent/budgets";

    /** So many of each list; a host tells the rest next time. */
    public static final int MOST = 1_000;

    /** No amount is larger: a thousand million dollars, in micro-dollars. */
    public static final long LARGEST = 1_000_000_000_000_000L;

    public BudgetExchange {
        leases = List.copyOf(leases);
        states = List.copyOf(states);
        wants = List.copyOf(wants);
    }

    /**
     * A lease that the host holds or returns.
     *
     * @param spent what it has spent of it, with the most that calls under way can cost
     * @param returned whether the host spends no more of it
     */
    public record LeaseReport(
            String lease, String budget, long amount, long spent, boolean returned) {}

    /**
     * What a host knows of a budget.
     *
     * @param rate what it spends in an hour
     * @param past what it spent of returned leases for which there was no room in the message; read
     *     only where the hub has closed itself
     */
    public record BudgetState(String budget, long rate, long past) {}

    /**
     * Asks for a lease.
     *
     * @param request made by the host; the same request is granted once
     * @param least with less than this no call can be made
     * @param most what the next call takes
     */
    public record Want(String request, String budget, long least, long most) {}

    @Override
    public String path() {
        return PATH;
    }

    @Override
    public String json() {
        return CallJson.object(
                json -> {
                    json.writeStringProperty("ledger", ledger);
                    json.writeNumberProperty("sequence", sequence);
                    json.writeNumberProperty("acknowledged", acknowledged);
                    closing.ifPresent(id -> json.writeStringProperty("closing", id));
                    CallJson.array(
                            json,
                            "leases",
                            leases,
                            (each, lease) -> {
                                each.writeStringProperty("lease", lease.lease());
                                each.writeStringProperty("budget", lease.budget());
                                each.writeNumberProperty("amount", lease.amount());
                                each.writeNumberProperty("spent", lease.spent());
                                each.writeStringProperty(
                                        "state", lease.returned() ? "returned" : "held");
                            });
                    CallJson.array(
                            json,
                            "states",
                            states,
                            (each, state) -> {
                                each.writeStringProperty("budget", state.budget());
                                each.writeNumberProperty("rate", state.rate());
                                each.writeNumberProperty("past", state.past());
                            });
                    CallJson.array(
                            json,
                            "wants",
                            wants,
                            (each, want) -> {
                                each.writeStringProperty("request", want.request());
                                each.writeStringProperty("budget", want.budget());
                                each.writeNumberProperty("least", want.least());
                                each.writeNumberProperty("most", want.most());
                            });
                });
    }

    public static BudgetExchange read(MessageFields fields) {
        return new BudgetExchange(
                fields.text("ledger"),
                amount(fields, "sequence"),
                amount(fields, "acknowledged"),
                fields.optionalText("closing"),
                list(
                        fields,
                        "leases",
                        lease ->
                                new LeaseReport(
                                        lease.text("lease"),
                                        lease.text("budget"),
                                        amount(lease, "amount"),
                                        amount(lease, "spent"),
                                        lease.text("state").equals("returned"))),
                list(
                        fields,
                        "states",
                        state ->
                                new BudgetState(
                                        state.text("budget"),
                                        amount(state, "rate"),
                                        amount(state, "past"))),
                list(
                        fields,
                        "wants",
                        want ->
                                new Want(
                                        want.text("request"),
                                        want.text("budget"),
                                        amount(want, "least"),
                                        amount(want, "most"))));
    }

    /** The objects of a list, of which there are not too many. */
    static <T> List<T> list(MessageFields fields, String name, Function<MessageFields, T> read) {
        List<? extends MessageFields> all = fields.list(name);
        if (all.size() > MOST) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "field '%s' has more than %d entries".formatted(name, MOST));
        }
        return all.stream().<T>map(read).toList();
    }

    /** A number that is not negative and not too large to be added to others. */
    static long amount(MessageFields fields, String name) {
        long amount = fields.number(name);
        if (amount < 0 || amount > LARGEST) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "field '%s' must be between 0 and %d".formatted(name, LARGEST));
        }
        return amount;
    }

    @Override
    public BudgetAnswer answer(int status, MessageFields fields) {
        return BudgetAnswer.read(fields);
    }
}
