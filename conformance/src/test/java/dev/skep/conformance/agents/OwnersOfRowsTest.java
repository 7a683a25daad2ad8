package dev.skep.conformance.agents;

import static dev.skep.conformance.agents.TwoHosts.ONE;
import static dev.skep.conformance.agents.TwoHosts.TWO;
import static dev.skep.conformance.agents.TwoHosts.principal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.Notification;
import dev.skep.agents.NotificationStore;
import dev.skep.agents.cost.Cost;
import dev.skep.agents.cost.CostStore;
import dev.skep.agents.mail.MailDraft;
import dev.skep.agents.mail.MailStore;
import dev.skep.agents.mail.Mailbox;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.LogStore;
import dev.skep.agents.session.RunSession;
import dev.skep.agents.session.RunSessionStore;
import dev.skep.agents.session.SessionKey;
import dev.skep.kernel.id.Ids;
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

/** Whoever writes a row owns it, and nobody has to ask anybody for its id. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class OwnersOfRowsTest {
    private final TestDatabase kind;
    @TempDir Path folder;
    private TwoHosts hosts;
    private Agent alice;
    private Agent bob;

    OwnersOfRowsTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        hosts = new TwoHosts(kind, folder);
        alice = hosts.agent(ONE, "alice", false);
        bob = hosts.agent(TWO, "bob", false);
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    @Test
    void mail_is_the_senders_hosts_and_its_status_the_readers() {
        hosts.mail.send(principal(alice), MailDraft.to(alice.id(), List.of("bob"), "Hi", "text"));
        MailStore ofTwo =
                new MailStore(hosts.database, hosts.ownOfTwo, hosts.agents, hosts.ids, hosts.time);
        ofTwo.markRead(
                Mailbox.open(principal(bob), bob.id()), only("SELECT id FROM mail_messages"));

        assertThat(owner("mail_messages")).isEqualTo(ONE.value());
        assertThat(owner("mail_recipients")).isEqualTo(ONE.value());
        assertThat(owner("mail_status")).isEqualTo(TWO.value());
        for (String table : List.of("mail_messages", "mail_recipients", "mail_status")) {
            assertThat(Ids.isUlid(only("SELECT id FROM " + table))).as(table).isTrue();
        }
    }

    @Test
    void sessions_logs_costs_and_notifications_are_the_hosts_that_ran_the_agent() {
        SessionKey key = new SessionKey(alice.id(), hosts.ids.next(), 1);
        new NotificationStore(hosts.database, hosts.own, hosts.time)
                .add(new Notification(alice.id(), null, null, null, AgentStatus.ACTIVE, 1L, null));
        new RunSessionStore(hosts.database, hosts.own)
                .put(RunSession.begun(key, "m", hosts.time.instant()));
        hosts.database.write(
                tx -> {
                    new LogStore(hosts.database, hosts.own).append(tx, List.of(line(key)));
                    new CostStore(hosts.database, hosts.own).append(tx, cost(key));
                    return true;
                });

        for (String table : List.of("user_notifications", "run_session", "context_log", "costs")) {
            assertThat(owner(table)).as(table).isEqualTo(ONE.value());
        }
    }

    @Test
    void updated_at_moves_with_a_change_and_created_at_does_not() {
        String before = only("SELECT updated_at AS it FROM users WHERE username = 'alice'");
        hosts.time.advance(Duration.ofMinutes(5));
        hosts.agents.setRemoved(alice.id(), true);

        String users = "SELECT %s AS it FROM users WHERE username = 'alice'";
        assertThat(only(users.formatted("created_at"))).isEqualTo(before);
        assertThat(only(users.formatted("updated_at")))
                .isEqualTo("2027-01-01T00:05:00.000000Z")
                .isGreaterThan(before);
    }

    private LogEntry line(SessionKey key) {
        return new LogEntry(
                hosts.ids.next(),
                key,
                LogEntry.Role.USER,
                LogEntry.Source.RUNNER,
                LogEntry.Type.PROMPT,
                "text",
                hosts.time.instant());
    }

    private Cost cost(SessionKey key) {
        return new Cost(hosts.ids.next(), key, "turn", "m", 1, 1, 1, 1, 1, hosts.time.instant());
    }

    private String owner(String table) {
        return only("SELECT host_id FROM " + table);
    }

    private String only(String sql) {
        return hosts.database.read(
                s -> s.first(sql, row -> String.valueOf(row.textOrNull(1))).orElseThrow());
    }
}
