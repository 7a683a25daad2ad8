package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import dev.skep.sync.hub.TakeoverService;
import dev.skep.wire.Message;
import dev.skep.wire.Message.SyncError;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts that write for agents of other hosts or orgs, and what a hub stores of that. */
class HostsThatWriteForOthersTest extends HubEndOfLinks {
    HostsThatWriteForOthersTest(@TempDir Path folder) {
        super(folder);
    }

    @Test
    void an_id_of_another_host_is_set_aside_and_the_rest_of_the_page_stored() {
        new Socket(ALICE).connect().answer(5, user(ALICE, 0, 5, "a", "anna"));
        Socket socket = new Socket(MALLORY).connect();
        socket.answer(99, user(MALLORY, 0, 98, "a", "thief"), user(MALLORY, 0, 99, "m", "mallory"));
        assertThat(stored("username")).isEqualTo("anna,mallory");
        assertThat(quarantined()).isEqualTo("ownership_violation");
        assertThat(socket.closed).isFalse();
        assertThat(socket.received)
                .anyMatch(
                        message ->
                                message instanceof SyncError e
                                        && e.error().equals(SyncError.OWNERSHIP_VIOLATION));
    }

    @Test
    void an_id_of_another_org_is_set_aside_whatever_its_generation() {
        new Socket(ALICE).connect().answer(5, user(ALICE, 0, 5, "a", "anna"));
        Socket socket = new Socket(STRANGER).connect();
        socket.answer(99, user(STRANGER, 0, 98, "a", "thief"), user(STRANGER, 9, 99, "a", "thief"));
        assertThat(stored("username")).isEqualTo("anna");
        assertThat(stored("org_id")).isEqualTo("org");
    }

    @Test
    void no_host_takes_an_agent_over_without_an_operators_word() {
        new Socket(ALICE).connect().answer(5, user(ALICE, 0, 5, "a", "anna"));
        Socket socket = new Socket(MALLORY).connect();
        socket.answer(6, user(MALLORY, Long.MAX_VALUE >> 12, 6, "a", "thief"));
        assertThat(stored("username")).isEqualTo("anna");
        assertThat(quarantined()).isEqualTo("takeover_unconfirmed");
    }

    @Test
    void mail_and_costs_in_the_name_of_another_hosts_agent_are_set_aside() {
        new Socket(ALICE).connect().answer(5, user(ALICE, 0, 5, "a", "anna"));
        Socket socket = new Socket(MALLORY).connect();
        socket.answer(
                9,
                false,
                new TableRows(
                        AgentTables.MAIL_MESSAGES,
                        List.of(mail(MALLORY, 7, "m1", "a"), mail(MALLORY, 8, "m2", "m"))),
                new TableRows(AgentTables.COSTS, List.of(cost(MALLORY, 9, "c1", "a"))),
                new TableRows(AgentTables.USERS, List.of(user(MALLORY, 0, 6, "m", "mallory"))));

        assertThat(ids("mail_messages")).containsExactly("m2");
        assertThat(ids("costs")).isEmpty();
        assertThat(quarantined()).isEqualTo("agent_not_of_host,agent_not_of_host");
        assertThat(socket.closed).isFalse();
    }

    @Test
    void a_host_introduces_no_host_but_itself() {
        @Nullable Object[] values =
                HostTable.HOSTS.values(
                        "id, name, kind, public_key, name_conflict, created_at, updated_at",
                        ALICE.id().value(),
                        "alice",
                        "runner",
                        "a key of mallory's",
                        0L,
                        AT,
                        AT);
        Socket socket = new Socket(MALLORY).connect();
        socket.answer(
                6,
                false,
                new TableRows(
                        HostTable.HOSTS,
                        List.of(new SyncRow(MALLORY.id().value(), 0, 6, values, null))));

        assertThat(ids("hosts")).isEmpty();
        assertThat(quarantined()).isEqualTo("ownership_violation");
    }

    @Test
    void mail_that_came_before_its_agent_is_taken_when_the_agent_comes() {
        Socket first = new Socket(ALICE).connect();
        first.answer(
                7,
                true,
                new TableRows(AgentTables.MAIL_MESSAGES, List.of(mail(ALICE, 7, "m1", "a"))));
        assertThat(ids("mail_messages")).isEmpty();
        assertThat(quarantined()).isEqualTo("agent_not_of_host");

        first.answer(8, user(ALICE, 0, 8, "a", "anna"));
        first.say(new Message.SyncAvailable());
        assertThat(first.closed).as("it is to begin again").isTrue();
        Socket again = new Socket(ALICE).connect();
        assertThat(again.lastAsked().since()).isZero();
        again.answer(
                8,
                false,
                new TableRows(AgentTables.MAIL_MESSAGES, List.of(mail(ALICE, 7, "m1", "a"))));

        assertThat(ids("mail_messages")).containsExactly("m1");
        assertThat(quarantined()).isEmpty();
    }

    @Test
    void who_owned_an_agent_before_may_still_tell_what_it_wrote_then() {
        TakeoverService takeoverService = new TakeoverService(store, hub, CLOCK, new Random(1));
        takeoverService.confirm(MALLORY.org(), MALLORY.id(), "a", 9);
        // A hub that was wiped: it hears of the agent from its new owner first.
        SyncRow taken = user(MALLORY, 9, 6, "a", "anna");
        taken.values()[AgentTables.USERS.indexOf("former_hosts")] = ALICE.id().value();
        new Socket(MALLORY).connect().answer(6, taken);

        Socket old = new Socket(ALICE).connect();
        old.answer(
                7,
                false,
                new TableRows(AgentTables.MAIL_MESSAGES, List.of(mail(ALICE, 7, "m1", "a"))));

        assertThat(ids("mail_messages")).containsExactly("m1");
        assertThat(quarantined()).isEmpty();
    }

    @Test
    void an_agent_goes_to_a_host_that_exists_only() {
        new Socket(ALICE).connect().answer(5, user(ALICE, 0, 5, "a", "anna"));
        TakeoverService takeoverService = new TakeoverService(store, hub, CLOCK, new Random(1));
        assertThatThrownBy(() -> takeoverService.grant(ALICE.org(), ALICE.id(), "b"))
                .hasMessageContaining("knows no agent b");
        assertThatThrownBy(() -> takeoverService.grant(ALICE.org(), MALLORY.id(), "a"))
                .hasMessageContaining("knows no host " + MALLORY.id());
        assertThatThrownBy(() -> takeoverService.grant(STRANGER.org(), ALICE.id(), "a"))
                .hasMessageContaining("knows no agent a");
    }
}
