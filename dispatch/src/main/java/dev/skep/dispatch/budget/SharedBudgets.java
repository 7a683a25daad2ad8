package dev.skep.dispatch.budget;

import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import dev.skep.wire.call.BudgetExchange;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Pattern;

/** Makes, changes and removes budgets, each with a line in the audit log. */
public final class SharedBudgets {
    /** Every host hears of all of its org that apply. */
    private static final int MOST = 200;

    private static final int LONGEST_SUBJECT = 300;
    private static final Duration SHORTEST = Duration.ofMinutes(1);
    public static final Duration LONGEST = Duration.ofDays(366);
    public static final String WINDOWS = "a budget's window is between a minute and 366 days";

    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,62}");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,62}:.{0,200}");

    private final Database database;
    private final SharedBudgetStore store;
    private final BudgetLender lender;
    private final AuditRecorder audit;
    private final UlidSource ids;
    private final InstantSource clock;

    public SharedBudgets(
            Database database,
            SharedBudgetStore store,
            BudgetLender lender,
            AuditRecorder audit,
            UlidSource ids,
            InstantSource clock) {
        this.database = database;
        this.store = store;
        this.lender = lender;
        this.audit = audit;
        this.ids = ids;
        this.clock = clock;
    }

    /** What a person asks for. */
    public record Draft(
            String name, BudgetScope scope, String subject, long amount, Duration window) {}

    public SharedBudget require(OrgId org, String named) {
        return database.read(snapshot -> store.find(snapshot, org, named))
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.NOT_FOUND, "there is no budget " + named));
    }

    public SharedBudget add(Actor actor, OrgId org, Draft draft) {
        requireName(draft.name());
        requireAmount(draft.amount());
        requireSubject(draft);
        if (draft.window().compareTo(SHORTEST) < 0 || draft.window().compareTo(LONGEST) > 0) {
            throw bad(WINDOWS);
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        SharedBudget budget =
                new SharedBudget(
                        ids.next(),
                        org,
                        draft.name(),
                        draft.scope(),
                        draft.subject(),
                        draft.amount(),
                        draft.window(),
                        now,
                        now);
        return database.write(
                transaction -> {
                    requireFree(transaction, budget);
                    if (store.all(transaction, org).size() >= MOST) {
                        throw new SkepException(
                                ErrorCode.CONFLICT,
                                "an org has at most %d budgets; remove one first".formatted(MOST));
                    }
                    lender.begins(transaction, org);
                    store.add(transaction, budget);
                    record(transaction, actor, "budget_added", budget);
                    return budget;
                });
    }

    public SharedBudget change(Actor actor, SharedBudget before, String name, long amount) {
        requireName(name);
        requireAmount(amount);
        SharedBudget budget =
                new SharedBudget(
                        before.id(),
                        before.org(),
                        name,
                        before.scope(),
                        before.subject(),
                        amount,
                        before.window(),
                        before.createdAt(),
                        clock.instant().truncatedTo(ChronoUnit.MILLIS));
        return database.write(
                transaction -> {
                    requireFree(transaction, budget);
                    store.change(transaction, budget);
                    record(transaction, actor, "budget_changed", budget);
                    return budget;
                });
    }

    public void remove(Actor actor, SharedBudget budget) {
        boolean _ =
                database.write(
                        transaction -> {
                            store.remove(transaction, budget.org(), budget.id());
                            record(transaction, actor, "budget_removed", budget);
                            return true;
                        });
    }

    /** Lends again after a restore without waiting for hosts that have not told what they hold. */
    public void open(Actor actor, OrgId org) {
        boolean _ =
                database.write(
                        transaction -> {
                            if (!lender.open(transaction, org)) {
                                throw new SkepException(
                                        ErrorCode.CONFLICT,
                                        "the budgets are open: this hub lends of them");
                            }
                            audit.record(
                                    transaction, actor, "budgets_opened", "org:" + org, Map.of());
                            return true;
                        });
    }

    private void record(Transaction transaction, Actor actor, String action, SharedBudget budget) {
        audit.record(
                transaction,
                actor,
                action,
                "budget:" + budget.id(),
                Map.of(
                        "name", budget.name(),
                        "scope", budget.scope().stored(),
                        "subject", budget.subject(),
                        "amountMicros", Long.toString(budget.amount()),
                        "windowSeconds", Long.toString(budget.window().toSeconds())));
    }

    private void requireFree(Transaction transaction, SharedBudget budget) {
        boolean taken =
                store.all(transaction, budget.org()).stream()
                        .anyMatch(
                                each ->
                                        each.name().equals(budget.name())
                                                && !each.id().equals(budget.id()));
        if (taken) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "there is a budget %s already; choose another name".formatted(budget.name()));
        }
    }

    private static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw bad(
                    "a budget's name has letters, digits, spaces, '.', '_' and '-', at most 63 of them");
        }
    }

    private static void requireAmount(long amount) {
        if (amount < 1 || amount > BudgetExchange.LARGEST) {
            throw bad("a budget's amount is positive, and at most a thousand million dollars");
        }
    }

    private static void requireSubject(Draft draft) {
        String subject = draft.subject();
        boolean right =
                switch (draft.scope()) {
                    case ORG -> subject.isEmpty();
                    case LABEL -> LABEL.matcher(subject).matches();
                    case AGENT, HOST -> !subject.isBlank() && subject.length() <= LONGEST_SUBJECT;
                };
        if (!right) {
            throw bad(
                    switch (draft.scope()) {
                        case ORG -> "a budget of the org has no 'subject'; leave it out";
                        case LABEL ->
                                "a label's budget names the label in 'subject', like team:blue";
                        case AGENT -> "an agent's budget names the agent's id in 'subject'";
                        case HOST -> "a host's budget names the host's id in 'subject'";
                    });
        }
    }

    private static SkepException bad(String message) {
        return new SkepException(ErrorCode.BAD_REQUEST, message);
    }
}
