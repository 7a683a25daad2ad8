package dev.skep.conformance.agents;

import static dev.skep.conformance.agents.TwoHosts.LOCAL;
import static dev.skep.conformance.agents.TwoHosts.ONE;
import static dev.skep.conformance.agents.TwoHosts.TWO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import dev.skep.agents.NotificationStore;
import dev.skep.agents.cost.Cost;
import dev.skep.agents.cost.CostStore;
import dev.skep.agents.mail.MailDraft;
import dev.skep.agents.mail.MailStatus;
import dev.skep.agents.mail.Mailbox;
import dev.skep.agents.session.DecisionLine;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.LogRow;
import dev.skep.agents.session.LogStore;
import dev.skep.agents.session.RunSession;
import dev.skep.agents.session.RunSessionStore;
import dev.skep.agents.session.SessionKey;
import dev.skep.agents.view.AgentListStore;
import dev.skep.agents.view.AgentRow;
import dev.skep.agents.view.CostBucket;
import dev.skep.agents.view.CostSeriesStore;
import dev.skep.agents.view.DecidedCommand;
import dev.skep.agents.view.DecidedCommandStore;
import dev.skep.agents.view.LogPageStore;
import dev.skep.agents.view.MailPageStore;
import dev.skep.agents.view.MailRow;
import dev.skep.agents.view.SessionPageStore;
import dev.skep.agents.view.SessionRow;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class WholeFleetListsTest {
    private static final Principal STRANGER = new Principal.Local(new OrgId("other"));
    private static final LogPageStore.Filter ALL_LINES =
            new LogPageStore.Filter(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    private final TestDatabase kind;
    @TempDir Path folder;
    private TwoHosts hosts;
    private Agent alice;
    private Agent bob;
    private SessionKey key;

    WholeFleetListsTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        hosts = new TwoHosts(kind, folder);
        alice = hosts.agent(ONE, "alice", false);
        bob = hosts.agent(TWO, "bob", false);
        key = new SessionKey(alice.id(), hosts.ids.next(), 1);
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    private void spend(String model, long micros, Instant at) {
        hosts.database.write(
                tx -> {
                    new CostStore(hosts.database, hosts.own)
                            .append(
                                    tx,
                                    new Cost(
                                            hosts.ids.next(),
                                            key,
                                            "turn",
                                            model,
                                            micros,
                                            10,
                                            5,
                                            1,
                                            2,
                                            at));
                    return true;
                });
    }

    private void session(SessionKey session) {
        new RunSessionStore(hosts.database, hosts.own)
                .put(RunSession.begun(session, "scripted", hosts.time.instant()));
    }

    private void log(int count) {
        List<LogEntry> lines = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            lines.add(
                    new LogEntry(
                            hosts.ids.next(),
                            key,
                            LogEntry.Role.USER,
                            LogEntry.Source.SHELL,
                            LogEntry.Type.OUTPUT,
                            "Line " + i + (i == 2 ? " 100% done" : ""),
                            hosts.time.instant()));
        }
        hosts.database.write(
                tx -> {
                    new LogStore(hosts.database, hosts.own).append(tx, lines);
                    return true;
                });
    }

    private LogEntry line(LogEntry.Type type, String text) {
        return new LogEntry(
                hosts.ids.next(),
                key,
                LogEntry.Role.SYSTEM,
                LogEntry.Source.RUNNER,
                type,
                text,
                hosts.time.instant());
    }

    @Test
    void a_decision_is_read_from_the_log_with_the_command_it_is_about() {
        List<LogEntry> lines =
                List.of(
                        line(LogEntry.Type.REPLY, ""),
                        line(LogEntry.Type.COMMAND, "of a turn before"),
                        line(LogEntry.Type.OUTPUT, ""),
                        line(LogEntry.Type.REPLY, ""),
                        line(LogEntry.Type.COMMAND, "free"),
                        line(LogEntry.Type.COMMAND, "asked"),
                        line(LogEntry.Type.COMMAND, "asked in vain"),
                        line(LogEntry.Type.OUTPUT, ""),
                        line(LogEntry.Type.NOTICE, "goes on after a restart of the runner"),
                        line(LogEntry.Type.DECISION, "approved by operator a via hub b via hub c"),
                        line(LogEntry.Type.OUTPUT, ""),
                        line(LogEntry.Type.DECISION, new DecisionLine(false, null, null).text()));
        hosts.database.write(
                tx -> {
                    new LogStore(hosts.database, hosts.own).append(tx, lines);
                    return true;
                });

        var store = new DecidedCommandStore(hosts.database);
        assertThat(store.newest(LOCAL, 9))
                .extracting(DecidedCommand::id, DecidedCommand::command, DecidedCommand::decision)
                .containsExactly(
                        tuple(
                                lines.get(6).id(),
                                "asked in vain",
                                new DecisionLine(false, null, null)),
                        tuple(
                                lines.get(5).id(),
                                "asked",
                                new DecisionLine(true, "operator a via hub b", "c")));
        assertThat(store.newest(LOCAL, 1)).hasSize(1);
        assertThat(store.newest(STRANGER, 9)).isEmpty();
    }

    @Test
    void an_agent_is_listed_with_its_newest_session_its_unread_mail_and_what_it_spent() {
        new NotificationStore(hosts.database, hosts.own, hosts.time)
                .add(
                        new Notification(
                                alice.id(), null, null, null, AgentStatus.ACTIVE, 1_000L, null));
        session(key);
        session(key.next());
        Instant now = hosts.time.instant();
        spend("m", 7, now.minus(Duration.ofDays(2)));
        spend("m", 30, now);
        spend("m", 12, now);
        hosts.mail.send(LOCAL, MailDraft.to(bob.id(), List.of("alice"), "hello", "text"));

        List<AgentRow> all =
                new AgentListStore(hosts.database).all(LOCAL, now.minus(Duration.ofHours(1)));

        assertThat(all)
                .extracting(
                        row -> row.agent().username(),
                        AgentRow::status,
                        row -> row.session().map(SessionKey::session).orElse(0),
                        AgentRow::unread,
                        AgentRow::spent,
                        row -> row.notification().map(Notification::budgetLeft).orElse(null))
                .containsExactly(
                        tuple("alice", "active", 2, 1L, 42L, 1_000L),
                        tuple("bob", "stopped", 0, 0L, 0L, null));
        assertThat(new AgentListStore(hosts.database).all(STRANGER, now)).isEmpty();
    }

    @Test
    void sessions_come_in_pages_without_gap_or_repeat() {
        for (SessionKey s = key; s.session() <= 12; s = s.next()) {
            session(s);
        }
        var store = new SessionPageStore(hosts.database);
        List<SessionRow> first =
                store.newest(LOCAL, SessionPageStore.Filter.ALL, Optional.empty(), 7);
        SessionRow last = first.getLast();
        List<SessionRow> second =
                store.newest(
                        LOCAL,
                        SessionPageStore.Filter.ALL,
                        Optional.of(
                                new SessionPageStore.After(
                                        last.session().key().run(),
                                        last.session().key().session(),
                                        last.session().key().agent().value())),
                        7);

        assertThat(first)
                .extracting(row -> row.session().key().session())
                .containsExactly(12, 11, 10, 9, 8, 7, 6);
        assertThat(second)
                .extracting(row -> row.session().key().session())
                .containsExactly(5, 4, 3, 2, 1);
        assertThat(store.find(LOCAL, alice.id().value(), key.run(), 3)).isPresent();
        assertThat(store.find(STRANGER, alice.id().value(), key.run(), 3)).isEmpty();
    }

    @Test
    void a_session_was_active_when_it_last_said_something() {
        session(key);
        hosts.time.advance(Duration.ofMinutes(3));
        log(1);

        assertThat(
                        new SessionPageStore(hosts.database)
                                .find(LOCAL, alice.id().value(), key.run(), key.session()))
                .map(row -> row.session().lastActive())
                .contains(hosts.time.instant());
    }

    @Test
    void a_log_is_read_backwards_and_followed_forwards() {
        log(10);
        var store = new LogPageStore(hosts.database);
        List<LogRow> end = store.before(LOCAL, ALL_LINES, Optional.empty(), 3);
        List<LogRow> before = store.before(LOCAL, ALL_LINES, Optional.of(end.getFirst().id()), 3);
        List<LogRow> after = store.after(LOCAL, ALL_LINES, before.getFirst().id(), 2);

        assertThat(end).extracting(LogRow::message).containsExactly("Line 8", "Line 9", "Line 10");
        assertThat(before)
                .extracting(LogRow::message)
                .containsExactly("Line 5", "Line 6", "Line 7");
        assertThat(after).extracting(LogRow::message).containsExactly("Line 6", "Line 7");
        assertThat(store.before(STRANGER, ALL_LINES, Optional.empty(), 3)).isEmpty();
    }

    @Test
    void signs_of_patterns_in_a_search_are_plain_text() {
        log(4);
        var filter =
                new LogPageStore.Filter(
                        Optional.of(ONE.value()),
                        Optional.of(alice.id().value()),
                        Optional.of(key.run()),
                        Optional.of("1"),
                        Optional.of("0% DONE"),
                        Optional.of("output"));

        assertThat(new LogPageStore(hosts.database).before(LOCAL, filter, Optional.empty(), 9))
                .extracting(LogRow::message)
                .containsExactly("Line 2 100% done");
    }

    @Test
    void mail_tells_who_read_it_and_is_found_by_either_host() {
        hosts.mail.send(
                LOCAL,
                new MailDraft(
                        alice.id(),
                        List.of("bob"),
                        List.of("alice"),
                        List.of(),
                        "Report",
                        "x".repeat(500),
                        null));
        var store = new MailPageStore(hosts.database);
        MailRow sent =
                store.newest(LOCAL, MailPageStore.Filter.ALL, Optional.empty(), 9).getFirst();
        hosts.mail.markRead(Mailbox.open(LOCAL, alice.id()), sent.message().id());

        MailRow read = store.find(LOCAL, sent.message().id()).orElseThrow();

        assertThat(sent.message().body()).hasSize(160);
        assertThat(read.message().body()).hasSize(500);
        assertThat(read.recipients())
                .extracting(
                        r -> r.recipient().type(),
                        r -> r.status().map(MailStatus::readAt).isPresent())
                .containsExactly(tuple("to", false), tuple("cc", true));
        for (String host : List.of(ONE.value(), TWO.value())) {
            var filter =
                    new MailPageStore.Filter(
                            Optional.of(bob.id().value()),
                            Optional.of(host),
                            Optional.of("rep"),
                            true);
            assertThat(store.newest(LOCAL, filter, Optional.empty(), 9)).hasSize(1);
        }
        assertThat(store.find(STRANGER, sent.message().id())).isEmpty();
        assertThat(
                        store.newest(
                                LOCAL,
                                MailPageStore.Filter.ALL,
                                Optional.of(sent.message().id()),
                                9))
                .isEmpty();
    }

    @Test
    void costs_are_added_up_by_day_and_hour() {
        Instant day = Instant.parse("2027-03-01T10:30:00Z");
        spend("m1", 5, day);
        spend("m1", 6, day.plus(Duration.ofMinutes(20)));
        spend("m2", 7, day.plus(Duration.ofHours(20)));
        var filter =
                new CostSeriesStore.Filter(
                        day.minus(Duration.ofDays(1)),
                        day.plus(Duration.ofDays(2)),
                        Optional.of(ONE.value()),
                        Optional.of(alice.id().value()),
                        Optional.empty());
        var store = new CostSeriesStore(hosts.database);

        assertThat(store.series(LOCAL, CostSeriesStore.By.MODEL, CostSeriesStore.Unit.DAY, filter))
                .extracting(CostBucket::bucket, CostBucket::group, CostBucket::micros)
                .containsExactly(tuple("2027-03-01", "m1", 11L), tuple("2027-03-02", "m2", 7L));
        assertThat(store.series(LOCAL, CostSeriesStore.By.HOST, CostSeriesStore.Unit.HOUR, filter))
                .extracting(CostBucket::bucket, CostBucket::group, CostBucket::calls)
                .containsExactly(
                        tuple("2027-03-01T10", ONE.value(), 2L),
                        tuple("2027-03-02T06", ONE.value(), 1L));
    }
}
