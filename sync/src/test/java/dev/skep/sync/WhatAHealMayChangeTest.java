package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.wire.MessageRows;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hubs that give back rows which the host never wrote, and what of that a runner accepts. */
class WhatAHealMayChangeTest extends RunnerEndOfALink {
    WhatAHealMayChangeTest(@TempDir Path folder) {
        super(folder);
    }

    @Test
    void a_heal_brings_no_agent_that_a_grant_could_not() {
        heal(rows(AgentTables.USERS, SELF, 7, user(BEN, "ben")));
        assertThat(owner(BEN)).isEqualTo(OTHER);

        allows = new Consents(Set.of(Consent.AGENTS));
        heal(rows(AgentTables.USERS, SELF, 8, user(BEN, "ben")));
        assertThat(owner(BEN)).isEqualTo(SELF);
        assertThat(origin(BEN)).containsExactly("https://hub");
    }

    @Test
    void a_heal_changes_no_agent_of_the_host_unless_the_hub_may_stop_it() {
        @Nullable Object[] removed = user(ADA, "ada");
        removed[AgentTables.USERS.indexOf("deleted_at")] = AT;
        heal(newer(ADA, removed));
        assertThat(removed()).isEmpty();

        allows = Consents.USUAL;
        heal(newer(ADA, removed));
        assertThat(removed()).containsExactly(ADA);
    }

    @Test
    void a_heal_that_the_host_did_not_ask_for_is_not_taken() {
        allows = Consents.OF_OWN_HUB;
        heal(rows(AgentTables.COSTS, SELF, 0, cost("c1", 5)), false);
        assertThat(closed).containsExactly("the hub gives back what nobody asked for");
        assertThat(owners(AgentTables.COSTS)).isEmpty();

        // Nor one more after the last page.
        closed.clear();
        heal(rows(AgentTables.COSTS, SELF, 0, cost("c1", 5)));
        heal(rows(AgentTables.COSTS, SELF, 0, cost("c2", 5)), false);
        assertThat(closed).hasSize(1);
        assertThat(owners(AgentTables.COSTS)).hasSize(1);
        closed.clear();
    }

    @Test
    void a_heal_adds_what_is_missing_and_changes_nothing_that_was_written_once() {
        allows = Consents.OF_OWN_HUB;
        put(AgentTables.COSTS, cost("c1", 7_000_000));
        put(AgentTables.CONTEXT_LOG, line("l1", ADA, "echo harmless"));
        put(AgentTables.MAIL_MESSAGES, mail("m1", ADA));
        put(
                AgentTables.MAIL_RECIPIENTS,
                AgentTables.MAIL_RECIPIENTS.values(
                        "id, message_id, user_id, type, created_at, updated_at",
                        "r1",
                        "m1",
                        ADA,
                        "to",
                        AT,
                        AT));
        @Nullable Object[] changed = mail("m1", ADA);
        changed[AgentTables.MAIL_MESSAGES.indexOf("body")] = "changed";
        @Nullable Object[] otherKey = host(SELF);
        otherKey[HostTable.HOSTS.indexOf("public_key")] = "of somebody else";

        heal(
                MessageRows.of(
                        List.of(
                                late(HostTable.HOSTS, otherKey),
                                late(AgentTables.COSTS, cost("c1", 0), cost("c2", 9)),
                                late(
                                        AgentTables.CONTEXT_LOG,
                                        line("l1", ADA, "rm -rf /"),
                                        line("l2", ADA, "given back")),
                                late(AgentTables.MAIL_MESSAGES, changed, mail("m2", ADA)),
                                late(
                                        AgentTables.MAIL_RECIPIENTS,
                                        AgentTables.MAIL_RECIPIENTS.values(
                                                "id, message_id, user_id, type, created_at, updated_at",
                                                "r1",
                                                "m1",
                                                BEN,
                                                "to",
                                                AT,
                                                AT)))));

        assertThat(column("costs", "cost")).containsExactly("7000000", "9");
        assertThat(column("context_log", "message")).containsExactly("echo harmless", "given back");
        assertThat(column("mail_messages", "body")).containsExactly("body", "body");
        assertThat(column("mail_recipients", "user_id")).containsExactly(ADA);
        assertThat(column("hosts", "coalesce(public_key, 'none')")).containsExactly("none");
    }

    @Test
    void a_heal_steers_no_agent_of_the_host_unless_the_hub_may_steer() {
        put(AgentTables.RUN_SESSION, session(ADA, RUN, null));
        put(AgentTables.CONTEXT_LOG, line("l1", ADA, "hello"));
        put(AgentTables.USER_NOTIFICATIONS, state(ADA));
        @Nullable Object[] paused = state(ADA);
        paused[AgentTables.USER_NOTIFICATIONS.indexOf("status")] = "paused";
        MessageRows lies =
                MessageRows.of(
                        List.of(
                                late(
                                        AgentTables.RUN_SESSION,
                                        session(ADA, RUN, "stopped"),
                                        session(ADA, "01RVN000000000000000000001", null)),
                                late(AgentTables.CONTEXT_LOG, line("l2", ADA, "do as I say")),
                                late(AgentTables.USER_NOTIFICATIONS, paused),
                                late(AgentTables.COSTS, cost("c1", 5))));

        heal(lies);
        assertThat(column("run_session", "coalesce(ended_reason, 'open')")).containsExactly("open");
        assertThat(column("context_log", "message")).containsExactly("hello");
        assertThat(column("user_notifications", "status")).containsExactly("active");
        assertThat(column("costs", "cost")).containsExactly("5");

        allows = Consents.USUAL;
        heal(lies);
        assertThat(column("run_session", "coalesce(ended_reason, 'open')"))
                .containsExactly("open", "stopped");
        assertThat(column("context_log", "message")).containsExactly("do as I say", "hello");
        assertThat(column("user_notifications", "status")).containsExactly("paused");
    }

    @Test
    void a_lost_database_gets_all_of_its_agents_back_page_by_page() {
        askForAHeal();
        heal(rows(AgentTables.USERS, SELF, 0, user(EVE, "eve")), true);
        heal(rows(AgentTables.RUN_SESSION, SELF, 0, session(EVE, RUN, null)), true);
        heal(rows(AgentTables.CONTEXT_LOG, SELF, 0, line("l1", EVE, "hello")), true);
        heal(rows(AgentTables.CONTEXT_LOG, SELF, 0, line("l2", EVE, "again")), false);
        assertThat(owners(AgentTables.RUN_SESSION)).containsExactly(SELF);
        assertThat(column("context_log", "message")).containsExactly("again", "hello");
    }
}
