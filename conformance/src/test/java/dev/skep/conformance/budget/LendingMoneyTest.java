package dev.skep.conformance.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.dispatch.alert.AlertCondition;
import dev.skep.dispatch.budget.BudgetConditions;
import dev.skep.dispatch.budget.BudgetLender;
import dev.skep.dispatch.budget.BudgetReport;
import dev.skep.dispatch.budget.BudgetScope;
import dev.skep.dispatch.budget.SharedBudget;
import dev.skep.dispatch.budget.SharedBudgetStore;
import dev.skep.dispatch.budget.SharedBudgets;
import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.dispatch.host.HostLabels;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.money.lease.HostLeases;
import dev.skep.models.money.lease.LeaseDecision;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.backup.BackupRecord;
import dev.skep.store.backup.BackupWriter;
import dev.skep.store.backup.DatabaseDump;
import dev.skep.store.backup.DatabaseLoad;
import dev.skep.store.clock.ClockReading;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.server.TestDatabase;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A hub that lends and hosts that spend, each with a real database; the wire between is a call. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class LendingMoneyTest {
    private static final OrgId ORG = new OrgId("01ORG0000000000000000000AA");
    private static final OrgId OTHER = new OrgId("01ORG0000000000000000000BB");
    private static final String HUB = "hub";
    private static final AgentId AGENT = new AgentId("01AGT0000000000000000000AA");
    private static final Duration DAY = Duration.ofDays(1);
    private static final long DOLLAR = 1_000_000;

    private final TestDatabase kind;
    private final InstantSource clock = InstantSource.system();
    private final UlidSource ids = new UlidSource(clock, new Random());
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final SharedBudgetStore store = new SharedBudgetStore();
    private long passed;
    @TempDir private Path folder = Path.of("");
    private DatabaseUrl hubAt = new DatabaseUrl.Sqlite(Path.of(""));
    private Database hub;
    private BudgetLender lender;
    private SharedBudgets budgets;

    LendingMoneyTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        hubAt = kind.create(folder);
        openHub();
    }

    private void openHub() {
        hub = opened(Databases.open(hubAt, clock));
        lender = new BudgetLender(hub, store, ids, this::time);
        budgets =
                new SharedBudgets(
                        hub, store, lender, (tx, actor, action, target, detail) -> {}, ids, clock);
    }

    private <T extends AutoCloseable> T opened(T it) {
        open.push(it);
        return it;
    }

    @AfterEach
    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    private ClockReading time() {
        return new ClockReading(1_800_000_000_000L + passed, 60_000 + passed, "boot");
    }

    /** As a process that was killed leaves it. */
    private void closed(Database database) {
        database.close();
        open.remove(database);
    }

    /** A host with its own database. */
    private final class Host {
        final Principal.Host principal;
        final DatabaseUrl at;
        Database database;
        HostLeases leases;

        Host(String name) {
            this(name, ORG);
        }

        Host(String name, OrgId org) {
            principal = new Principal.Host(org, new HostId(name));
            at =
                    kind == TestDatabase.SQLITE
                            ? new DatabaseUrl.Sqlite(folder.resolve(name + ".db"))
                            : kind.create(folder);
            hub.write(
                    tx -> {
                        new HostHealthStore()
                                .admit(tx, org, List.of(principal.id()), clock.instant());
                        return true;
                    });
            start();
        }

        void start() {
            database = opened(Databases.open(at, clock));
            leases = HostLeases.open(database, ids, LendingMoneyTest.this::time);
            leases.join(HUB, false);
        }

        void ask() {
            leases.exchange(HUB, told -> lender.exchange(principal, told));
        }

        /** Asks the hub as often as it takes. */
        LeaseDecision reserve(long micros) {
            for (int i = 0; i < 4; i++) {
                LeaseDecision decision = leases.reserve(AGENT, micros, micros);
                if (!(decision instanceof LeaseDecision.Asking)) {
                    return decision;
                }
                ask();
            }
            throw new AssertionError("the hub does not answer");
        }

        void spend(long micros) {
            LeaseDecision decision = reserve(micros);
            assertThat(decision).isInstanceOf(LeaseDecision.Paid.class);
            if (decision instanceof LeaseDecision.Paid paid) {
                leases.durably(
                        also ->
                                database.write(
                                        tx -> {
                                            also.accept(tx);
                                            return true;
                                        }));
                leases.settle(paid, micros);
            }
        }

        long spendAll(long micros) {
            long spent = 0;
            while (reserve(micros) instanceof LeaseDecision.Paid paid) {
                leases.settle(paid, micros);
                spent += micros;
            }
            return spent;
        }
    }

    private SharedBudget budget(BudgetScope scope, String subject, long dollars) {
        return budgets.add(
                Actor.local(ORG),
                ORG,
                new SharedBudgets.Draft(scope.stored(), scope, subject, dollars * DOLLAR, DAY));
    }

    private BudgetReport.Standing standing() {
        return lender.report(new Principal.Local(ORG)).budgets().getFirst();
    }

    @Test
    void hosts_together_spend_the_budget_and_no_more() {
        budget(BudgetScope.ORG, "", 10);
        Host a = new Host("a");
        Host b = new Host("b");
        a.ask();
        b.ask();
        long spent = a.spendAll(DOLLAR / 10) + b.spendAll(DOLLAR / 10);
        spent += a.spendAll(DOLLAR / 10);
        assertThat(spent).isBetween(9 * DOLLAR, 10 * DOLLAR);
        assertThat(a.reserve(DOLLAR))
                .isInstanceOfSatisfying(
                        LeaseDecision.TooLittle.class,
                        refused ->
                                assertThat(refused.why())
                                        .contains("all of it is spent or lent to hosts"));
    }

    @Test
    void what_is_spent_is_free_again_after_its_window() {
        budget(BudgetScope.ORG, "", 10);
        Host a = new Host("a");
        a.ask();
        a.spendAll(DOLLAR);
        passed += DAY.toMillis() - 1_000;
        a.ask();
        assertThat(a.reserve(DOLLAR)).isInstanceOf(LeaseDecision.TooLittle.class);
        passed += DAY.toMillis() + Duration.ofHours(6).toMillis();
        a.ask();
        assertThat(a.reserve(DOLLAR)).isInstanceOf(LeaseDecision.Paid.class);
    }

    @Test
    void a_host_that_is_away_spends_what_it_holds_until_its_use_by() {
        budget(BudgetScope.ORG, "", 100);
        Host a = new Host("a");
        a.ask();
        a.spend(DOLLAR);
        passed += Duration.ofHours(5).toMillis();
        assertThat(a.leases.reserve(AGENT, DOLLAR, DOLLAR)).isInstanceOf(LeaseDecision.Paid.class);
        passed += Duration.ofMinutes(30).toMillis();
        assertThatThrownBy(
                        () ->
                                a.leases.exchange(
                                        HUB,
                                        told -> {
                                            throw new SkepException(
                                                    ErrorCode.HUB_UNREACHABLE, "away");
                                        }))
                .hasMessage("away");
        assertThat(a.leases.reserve(AGENT, DOLLAR, DOLLAR))
                .isInstanceOfSatisfying(
                        LeaseDecision.TooLittle.class,
                        refused -> assertThat(refused.why()).contains("cannot be reached"));
    }

    @Test
    void a_killed_host_remembers_the_most_that_its_open_calls_can_cost() {
        budget(BudgetScope.ORG, "", 10);
        Host a = new Host("a");
        a.ask();
        assertThat(a.reserve(4 * DOLLAR)).isInstanceOf(LeaseDecision.Paid.class);
        a.leases.durably(
                also ->
                        a.database.write(
                                tx -> {
                                    also.accept(tx);
                                    return true;
                                }));
        closed(a.database);
        a.start();
        a.ask();
        assertThat(a.spendAll(DOLLAR)).isEqualTo(6 * DOLLAR);
    }

    @Test
    void a_lost_answer_is_given_again_and_lends_nothing_twice() {
        budget(BudgetScope.ORG, "", 10);
        Host a = new Host("a");
        a.ask();
        assertThat(a.leases.reserve(AGENT, DOLLAR, 8 * DOLLAR))
                .isInstanceOf(LeaseDecision.Asking.class);
        assertThatThrownBy(
                        () ->
                                a.leases.exchange(
                                        HUB,
                                        told -> {
                                            lender.exchange(a.principal, told);
                                            throw new SkepException(
                                                    ErrorCode.HUB_UNREACHABLE, "cut");
                                        }))
                .hasMessage("cut");
        closed(a.database);
        a.start();
        a.ask();
        assertThat(a.reserve(8 * DOLLAR)).isInstanceOf(LeaseDecision.Paid.class);
        assertThat(standing().lent()).isEqualTo(8 * DOLLAR);
    }

    @Test
    void a_label_limits_the_hosts_that_have_it_and_an_agent_on_any_host() {
        budget(BudgetScope.LABEL, "team:blue", 1);
        budget(BudgetScope.AGENT, AGENT.value(), 2);
        Host blue = new Host("blue");
        Host red = new Host("red");
        hub.write(
                tx ->
                        tx.update(
                                "UPDATE host_health SET labels = ? WHERE host_id = 'blue'",
                                HostLabels.stored(Map.of("team", "blue"))));
        blue.ask();
        red.ask();
        assertThat(blue.spendAll(DOLLAR / 4)).isEqualTo(DOLLAR);
        assertThat(red.spendAll(DOLLAR / 4)).isBetween(DOLLAR / 4, DOLLAR);
        assertThat(red.leases.limits(new AgentId("01AGT0000000000000000000BB"))).isFalse();
        assertThat(blue.leases.limits(new AgentId("01AGT0000000000000000000BB"))).isTrue();
    }

    @Test
    void a_host_of_another_org_hears_nothing_of_a_budget() {
        budget(BudgetScope.ORG, "", 10);
        Host other = new Host("other", OTHER);
        other.ask();
        assertThat(other.leases.limits(AGENT)).isFalse();
        assertThat(lender.report(new Principal.Local(OTHER)).budgets()).isEmpty();
    }

    @Test
    void a_host_put_back_to_a_backup_has_no_lease_and_asks_before_it_spends() throws Exception {
        budget(BudgetScope.ORG, "", 10);
        Host a = new Host("a");
        a.ask();
        a.spend(DOLLAR);
        restore(a.database, a.at);
        a.start();
        assertThat(a.leases.state().leases()).isEmpty();
        assertThat(a.leases.reserve(AGENT, 1, 1)).isInstanceOf(LeaseDecision.Asking.class);
        a.ask();
        assertThat(a.spendAll(DOLLAR)).isLessThanOrEqualTo(9 * DOLLAR);
    }

    @Test
    void a_hub_put_back_to_a_backup_lends_only_when_all_its_hosts_have_told_what_they_hold()
            throws Exception {
        budget(BudgetScope.ORG, "", 10);
        Host a = new Host("a");
        Host b = new Host("b");
        a.ask();
        b.ask();
        Path backup = backup(hub);
        a.spend(6 * DOLLAR);
        load(backup, hub, hubAt);
        openHub();

        assertThat(b.reserve(8 * DOLLAR))
                .isInstanceOfSatisfying(
                        LeaseDecision.TooLittle.class,
                        refused -> assertThat(refused.why()).contains("put back from a backup"));
        b.ask();
        a.ask();
        assertThat(lender.report(new Principal.Local(ORG)).closed()).isPresent();
        a.ask();
        assertThat(lender.report(new Principal.Local(ORG)).closed()).isEmpty();
        passed += Duration.ofMinutes(1).toMillis();
        assertThat(b.spendAll(DOLLAR)).isLessThanOrEqualTo(4 * DOLLAR);
    }

    @Test
    void an_operators_word_opens_a_hub_that_was_put_back() throws Exception {
        budget(BudgetScope.ORG, "", 10);
        Host gone = new Host("gone");
        Host a = new Host("a");
        a.ask();
        gone.ask();
        load(backup(hub), hub, hubAt);
        openHub();
        a.ask();
        a.ask();
        assertThat(lender.report(new Principal.Local(ORG)).closed()).isPresent();
        budgets.open(Actor.local(ORG), ORG);
        assertThat(lender.report(new Principal.Local(ORG)).closed()).isEmpty();
        assertThat(a.reserve(DOLLAR)).isInstanceOf(LeaseDecision.Paid.class);
        assertThatThrownBy(() -> budgets.open(Actor.local(ORG), ORG))
                .hasMessageContaining("this hub lends of them");
    }

    @Test
    void a_removed_budget_limits_nobody_and_a_wrong_one_is_not_made() {
        SharedBudget budget = budget(BudgetScope.ORG, "", 1);
        Host a = new Host("a");
        a.ask();
        assertThat(a.reserve(2 * DOLLAR)).isInstanceOf(LeaseDecision.TooLittle.class);
        budgets.remove(Actor.local(ORG), budget);
        a.ask();
        assertThat(a.leases.limits(AGENT)).isFalse();
        assertThat(a.reserve(2 * DOLLAR)).isInstanceOf(LeaseDecision.Paid.class);
        assertThatThrownBy(() -> budget(BudgetScope.LABEL, "blue", 1))
                .hasMessageContaining("like team:blue");
        assertThatThrownBy(() -> budget(BudgetScope.ORG, "", 0))
                .hasMessageContaining("amount is positive");
    }

    @Test
    void four_fifths_and_all_of_a_budget_are_reported_once_each() {
        budget(BudgetScope.ORG, "", 10);
        Host a = new Host("a");
        a.ask();
        a.spend(7 * DOLLAR);
        a.ask();
        assertThat(conditions(BudgetConditions.nearlySpent(lender)))
                .singleElement()
                .satisfies(each -> assertThat(each.certain()).isFalse());
        a.spend(DOLLAR);
        a.ask();
        assertThat(conditions(BudgetConditions.nearlySpent(lender)))
                .singleElement()
                .satisfies(
                        each -> {
                            assertThat(each.certain()).isTrue();
                            assertThat(each.message()).isEqualTo("Budget org is spent to 80 %.");
                        });
        assertThat(conditions(BudgetConditions.spent(lender))).isEmpty();
        assertThat(a.reserve(3 * DOLLAR)).isInstanceOf(LeaseDecision.TooLittle.class);
        assertThat(conditions(BudgetConditions.spent(lender)))
                .extracting(AlertCondition::message)
                .containsExactly("Budget org is spent.");
    }

    private List<AlertCondition> conditions(BudgetConditions of) {
        return hub.read(of::now);
    }

    private Path backup(Database database) throws Exception {
        Path file = folder.resolve("backup-" + ids.next());
        try (OutputStream out = Files.newOutputStream(file);
                BackupWriter to = new BackupWriter(out)) {
            to.write(new BackupRecord.Header(Map.of()));
            long _ = new DatabaseDump(database, to, (table, done, of) -> {}).write("it");
            to.end();
        }
        return file;
    }

    private void load(Path backup, Database into, DatabaseUrl at) {
        closed(into);
        long _ = new DatabaseLoad(backup, "it", clock).into(at, true);
    }

    private void restore(Database database, DatabaseUrl at) throws Exception {
        load(backup(database), database, at);
    }
}
