package dev.skep.conformance.agents;

import static dev.skep.conformance.agents.TwoHosts.LOCAL;
import static dev.skep.conformance.agents.TwoHosts.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import dev.skep.agents.NotificationStore;
import dev.skep.agents.cost.Cost;
import dev.skep.agents.cost.CostStore;
import dev.skep.agents.cost.CostSummary;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.LogStore;
import dev.skep.agents.session.RunSession;
import dev.skep.agents.session.RunSessionStore;
import dev.skep.agents.session.SessionKey;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class SessionsAndCostsTest {
    private final TestDatabase kind;
    @TempDir Path folder;
    private TwoHosts hosts;
    private Agent alice;
    private SessionKey key;

    SessionsAndCostsTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        hosts = new TwoHosts(kind, folder);
        alice = hosts.agent(ONE, "alice", false);
        key = new SessionKey(alice.id(), hosts.ids.next(), 1);
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    @Test
    void a_session_to_resume_has_its_sums_counted_anew() {
        RunSessionStore sessions = new RunSessionStore(hosts.database, hosts.own);
        LogStore log = new LogStore(hosts.database, hosts.own);
        CostStore costs = new CostStore(hosts.database, hosts.own);
        sessions.put(RunSession.begun(key, "m", hosts.time.instant()));
        hosts.database.write(
                tx -> {
                    log.append(tx, List.of(line("one"), line("two")));
                    costs.append(tx, cost("turn", 30));
                    costs.append(tx, cost("compaction", 12));
                    return true;
                });
        RunSession open = sessions.toResume(alice.id()).orElseThrow();
        assertThat(open.totalLines()).isEqualTo(2);
        assertThat(open.totalCost()).isEqualTo(42);
        assertThat(log.of(LOCAL, key)).extracting(LogEntry::message).containsExactly("one", "two");
        assertThat(log.tail(LOCAL, alice.id(), null, 1))
                .extracting(LogEntry::message)
                .containsExactly("two");
        assertThat(log.tail(LOCAL, alice.id(), "0", 1))
                .extracting(LogEntry::message)
                .containsExactly("one");
        assertThat(log.greatestId()).hasValue(open.latestLogId());
        sessions.put(
                RunSession.begun(key.next(), "m", hosts.time.instant())
                        .ended("complete", hosts.time.instant()));
        assertThat(sessions.toResume(alice.id())).isEmpty();
        assertThat(sessions.list(LOCAL, alice.id(), 9))
                .extracting(s -> s.key().session())
                .containsExactly(2, 1);
        assertThat(costs.summarize(LOCAL, CostSummary.By.SOURCE, alice.id(), null))
                .extracting(CostSummary::group, CostSummary::micros, CostSummary::calls)
                .containsExactly(tuple("turn", 30L, 1L), tuple("compaction", 12L, 1L));
        assertThat(costs.summarize(LOCAL, CostSummary.By.SESSION, null, hosts.time.instant()))
                .hasSize(1);
        assertThat(costs.spentHereSince(hosts.time.instant())).hasSize(2);
    }

    @Test
    void a_notification_is_a_row_on_a_change_of_status_and_else_once_a_minute() {
        NotificationStore store = new NotificationStore(hosts.database, hosts.own, hosts.time);
        assertThat(store.add(notification(AgentStatus.ACTIVE))).isTrue();
        assertThat(store.add(notification(AgentStatus.ACTIVE))).isFalse();
        assertThat(store.add(notification(AgentStatus.WAITING))).isTrue();
        hosts.time.advance(Duration.ofSeconds(59));
        assertThat(store.add(notification(AgentStatus.WAITING))).isFalse();
        hosts.time.advance(Duration.ofSeconds(1));
        assertThat(store.add(notification(AgentStatus.WAITING))).isTrue();
        assertThat(store.all(LOCAL))
                .singleElement()
                .extracting(Notification::status)
                .isEqualTo(AgentStatus.WAITING);
    }

    private Notification notification(AgentStatus status) {
        return new Notification(alice.id(), null, null, hosts.time.instant(), status, 5L, null);
    }

    private LogEntry line(String message) {
        return new LogEntry(
                hosts.ids.next(),
                key,
                LogEntry.Role.USER,
                LogEntry.Source.RUNNER,
                LogEntry.Type.PROMPT,
                message,
                hosts.time.instant());
    }

    private Cost cost(String source, long micros) {
        return new Cost(
                hosts.ids.next(), key, source, "m", micros, 1, 2, 3, 4, hosts.time.instant());
    }
}
