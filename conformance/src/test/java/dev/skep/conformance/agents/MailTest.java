package dev.skep.conformance.agents;

import static dev.skep.conformance.agents.TwoHosts.ONE;
import static dev.skep.conformance.agents.TwoHosts.TWO;
import static dev.skep.conformance.agents.TwoHosts.principal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentTables;
import dev.skep.agents.mail.Mail;
import dev.skep.agents.mail.MailDraft;
import dev.skep.agents.mail.MailReader;
import dev.skep.agents.mail.Mailbox;
import dev.skep.agents.mail.SendResult;
import dev.skep.agents.view.AgentListStore;
import dev.skep.agents.view.MailPageStore;
import dev.skep.agents.view.MailPageStore.Filter;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.row.Timestamps;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class MailTest {
    private final TestDatabase kind;
    @TempDir Path folder;
    private TwoHosts hosts;

    MailTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        hosts = new TwoHosts(kind, folder);
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    @Test
    void mail_is_read_and_archived_by_each_recipient_alone() {
        Agent alice = hosts.agent(ONE, "alice", false);
        Agent bob = hosts.agent(ONE, "bob", false);
        Agent carol = hosts.agent(ONE, "carol", false);
        send(alice, "bob", "carol");
        Mailbox bobs = Mailbox.open(principal(bob), bob.id());
        Mailbox carols = Mailbox.open(principal(carol), carol.id());
        Mail mail = hosts.reader.unread(bobs, 9).getFirst();
        assertThat(hosts.mail.markRead(bobs, mail.id())).isTrue();
        assertThat(hosts.mail.markRead(bobs, mail.id())).isFalse();
        assertThat(hosts.reader.unread(bobs, 9)).isEmpty();
        assertThat(hosts.reader.unread(carols, 9)).hasSize(1);
        assertThat(hosts.mail.archive(bobs, mail.id())).isTrue();
        assertThat(hosts.reader.inbox(bobs, 9)).isEmpty();
        assertThat(hosts.reader.search(bobs, "HELLO_", 9)).isEmpty();
        assertThat(hosts.reader.search(bobs, "hEllO", 9)).hasSize(1);
        assertThat(hosts.reader.find(bobs, mail.id().substring(18))).isPresent();
        assertThat(hosts.reader.unreadOn(ONE))
                .containsOnlyKeys(new MailReader.Heap(carol.id(), true));
    }

    @Test
    void an_agent_opens_no_mailbox_but_its_own_and_blind_copies_stay_blind() {
        Agent alice = hosts.agent(ONE, "alice", false);
        Agent bob = hosts.agent(ONE, "bob", false);
        Agent carol = hosts.agent(ONE, "carol", false);
        hosts.mail.send(
                principal(alice),
                new MailDraft(
                        alice.id(), List.of("bob"), List.of(), List.of("carol"), "s", "b", null));
        assertThatThrownBy(() -> Mailbox.open(principal(bob), carol.id()))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("only its own mail");
        assertThatThrownBy(
                        () ->
                                hosts.mail.send(
                                        principal(bob),
                                        MailDraft.to(alice.id(), List.of("carol"), "s", "b")))
                .isInstanceOf(SkepException.class);
        assertThat(recipients(bob)).containsExactly("bob");
        assertThat(recipients(carol)).containsExactly("bob", "carol");
        assertThat(
                        hosts.reader
                                .outbox(Mailbox.open(principal(alice), alice.id()), 9)
                                .getFirst()
                                .recipients())
                .hasSize(2);
    }

    @Test
    void a_bare_name_is_its_holder_and_a_full_address_the_agent_of_that_host() {
        Agent alice = hosts.agent(ONE, "alice", false);
        Agent here = hosts.agent(TWO, "bob", false);
        Agent loser = hosts.agent(TWO, "alice", true);
        assertThat(sent(alice, "bob")).containsExactly(here.id().value());
        assertThat(sent(alice, "alice")).containsExactly(alice.id().value());
        assertThat(sent(alice, "alice@host-2")).containsExactly(loser.id().value());
        assertThat(refusal(alice, "bob@host-1")).contains("bob@host-2");
    }

    @Test
    void while_a_conflict_is_not_yet_marked_the_first_claim_holds_the_name() {
        Agent ours = hosts.agent(ONE, "bob", false);
        Agent theirs = hosts.agent(TWO, "bob", false);
        assertThat(sent(ours, "bob")).containsExactly(ours.id().value());
        hosts.database.write(
                tx ->
                        tx.update(
                                "INSERT INTO name_claims (org_id, table_name, name, row_id) VALUES (?, 'users', 'bob', ?)",
                                TwoHosts.ORG.value(),
                                theirs.id().value()));
        assertThat(sent(ours, "bob")).containsExactly(theirs.id().value());
    }

    @Test
    void a_name_two_hosts_claim_is_refused_with_the_choices_where_ours_lost() {
        Agent sender = hosts.agent(ONE, "sender", false);
        hosts.agent(ONE, "alice", true);
        hosts.agent(TWO, "alice", false);
        assertThat(refusal(sender, "alice")).contains("alice@host-1 or alice@host-2");
    }

    @Test
    void one_unknown_or_removed_recipient_refuses_all() {
        Agent alice = hosts.agent(ONE, "alice", false);
        Agent bob = hosts.agent(ONE, "bob", false);
        hosts.agents.setRemoved(bob.id(), true);
        assertThat(refusal(alice, "alice", "bob", "zoe"))
                .contains("'bob' was removed")
                .contains("there is no agent 'zoe'");
        assertThat(hosts.reader.ofOrg(TwoHosts.LOCAL, 9)).isEmpty();
        assertThat(hosts.agents.onThisHost()).hasSize(2);
        hosts.agents.setRemoved(bob.id(), false);
        assertThat(sent(alice, "bob")).hasSize(1);
    }

    @Test
    void listeners_are_notified_of_mail_once_it_is_durable() {
        Agent alice = hosts.agent(ONE, "alice", false);
        List<Set<String>> written = new CopyOnWriteArrayList<>();
        try (var _ = hosts.database.onWritten(written::add)) {
            send(alice, "alice");
        }
        assertThat(written)
                .singleElement(InstanceOfAssertFactories.set(String.class))
                .contains("mail_recipients");
    }

    @Test
    void only_the_host_of_a_message_names_its_recipients() {
        Agent alice = hosts.agent(ONE, "alice", false);
        Agent bob = hosts.agent(ONE, "bob", false);
        Agent spy = hosts.agent(TWO, "spy", false);
        send(alice, "bob");
        Mailbox bobs = Mailbox.open(principal(bob), bob.id());
        String message = hosts.reader.unread(bobs, 9).getFirst().id();
        for (Agent added : List.of(alice, spy)) {
            hosts.database.write(
                    tx -> {
                        String now = Timestamps.format(hosts.time.instant());
                        hosts.ownOfTwo.put(
                                tx,
                                AgentTables.MAIL_RECIPIENTS,
                                AgentTables.MAIL_RECIPIENTS.values(
                                        "id, message_id, user_id, type, created_at, updated_at",
                                        hosts.ids.next(),
                                        message,
                                        added.id().value(),
                                        "to",
                                        now,
                                        now));
                        return true;
                    });
            Mailbox theirs = Mailbox.open(principal(added), added.id());
            assertThat(hosts.reader.unread(theirs, 9)).isEmpty();
            assertThat(hosts.reader.inbox(theirs, 9)).isEmpty();
            assertThat(hosts.reader.unreadOn(added.host()).keySet())
                    .extracting(MailReader.Heap::agent)
                    .doesNotContain(added.id());
        }
        Mailbox spys = Mailbox.open(principal(spy), spy.id());
        assertThat(hosts.reader.search(spys, "Hello", 9)).isEmpty();
        assertThat(hosts.reader.find(spys, message)).isEmpty();
        assertThat(hosts.mail.markRead(spys, message)).isFalse();
        assertThat(recipients(bob)).containsExactly("bob");
        var pages = new MailPageStore(hosts.database);
        assertThat(pages.find(TwoHosts.LOCAL, message).orElseThrow().recipients()).hasSize(1);
        for (Filter ofSpy :
                List.of(
                        new Filter(
                                Optional.empty(),
                                Optional.of(spy.id().value()),
                                Optional.empty(),
                                false),
                        new Filter(
                                Optional.of(TWO.value()),
                                Optional.empty(),
                                Optional.empty(),
                                false))) {
            assertThat(pages.newest(TwoHosts.LOCAL, ofSpy, Optional.empty(), 9)).isEmpty();
        }
        assertThat(new AgentListStore(hosts.database).all(TwoHosts.LOCAL, hosts.time.instant()))
                .filteredOn(agent -> agent.unread() > 0)
                .extracting(row -> row.agent().id())
                .containsExactly(bob.id());
    }

    private SendResult send(Agent from, String... to) {
        return hosts.mail.send(
                principal(from), MailDraft.to(from.id(), List.of(to), "Hello", "How are you?"));
    }

    private List<String> sent(Agent from, String... to) {
        SendResult sendResult = send(from, to);
        assertThat(sendResult).isInstanceOf(SendResult.Sent.class);
        return ((SendResult.Sent) sendResult).recipients().stream().map(id -> id.value()).toList();
    }

    private String refusal(Agent from, String... to) {
        SendResult sendResult = send(from, to);
        assertThat(sendResult).isInstanceOf(SendResult.Refused.class);
        return String.join("; ", ((SendResult.Refused) sendResult).problems());
    }

    private List<String> recipients(Agent agent) {
        return hosts
                .reader
                .inbox(Mailbox.open(principal(agent), agent.id()), 9)
                .getFirst()
                .recipients()
                .stream()
                .map(Mail.Recipient::name)
                .toList();
    }
}
