package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.row.Position;
import dev.skep.wire.Message;
import dev.skep.wire.MessageRows;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hubs that bring, take or forward what is not theirs, and a runner that refuses it. */
class HubsThatMisbehaveTest extends RunnerEndOfALink {
    HubsThatMisbehaveTest(@TempDir Path folder) {
        super(folder);
    }

    @Test
    void a_grant_counts_only_from_a_hub_that_may_bring_agents() {
        grant(BEN);
        assertThat(owner(BEN)).isEqualTo(OTHER);
        assertThat(origin(BEN)).isEmpty();

        allows = new Consents(Set.of(Consent.AGENTS));
        grant(BEN);
        assertThat(owner(BEN)).isEqualTo(SELF);
        assertThat(origin(BEN)).containsExactly("https://hub");
    }

    @Test
    void an_agent_of_the_host_does_not_become_foreign_by_a_grant() {
        allows = new Consents(Set.of(Consent.AGENTS));
        grant(ADA);
        assertThat(owner(ADA)).isEqualTo(SELF);
        assertThat(origin(ADA)).isEmpty();
    }

    @Test
    void an_agent_is_taken_away_only_by_a_hub_that_may_stop_it() {
        forward(rows(AgentTables.USERS, OTHER, 7, user(ADA, "ada")));
        assertThat(owner(ADA)).isEqualTo(SELF);

        allows = Consents.USUAL;
        forward(rows(AgentTables.USERS, OTHER, 8, user(ADA, "ada")));
        assertThat(owner(ADA)).isEqualTo(OTHER);
    }

    @Test
    void no_hub_takes_what_is_no_agents() {
        allows = Consents.OF_OWN_HUB;
        forward(rows(HostTable.HOSTS, OTHER, 7, host(SELF)));
        assertThat(owners(HostTable.HOSTS)).containsExactly(SELF);
    }

    @Test
    void mail_in_the_name_of_another_hosts_agent_is_set_aside_whatever_the_hub_thought_of_it() {
        forward(rows(AgentTables.MAIL_MESSAGES, MALLORY, 0, mail("m1", BEN)));
        forward(rows(AgentTables.MAIL_MESSAGES, OTHER, 0, mail("m2", ADA)));
        forward(rows(AgentTables.USER_NOTIFICATIONS, MALLORY, 0, state(BEN)));
        forward(rows(AgentTables.MAIL_MESSAGES, OTHER, 0, mail("m3", BEN)));

        assertThat(owners(AgentTables.MAIL_MESSAGES)).containsExactly(OTHER);
        assertThat(owners(AgentTables.USER_NOTIFICATIONS)).isEmpty();
        assertThat(quarantined()).containsExactly("m2", "m1", BEN);
    }

    @Test
    void who_says_that_an_agent_is_its_own_is_not_believed_against_its_owner() {
        forward(rows(AgentTables.USERS, MALLORY, 0, user(BEN, "ben")));
        forward(rows(AgentTables.MAIL_MESSAGES, MALLORY, 0, mail("m1", BEN)));
        assertThat(owner(BEN)).isEqualTo(OTHER);
        assertThat(owners(AgentTables.MAIL_MESSAGES)).isEmpty();
    }

    @Test
    void mail_that_comes_before_its_agent_is_asked_for_again_when_the_agent_is_known() {
        forward(rows(AgentTables.MAIL_MESSAGES, MALLORY, 0, mail("m1", EVE)), 6);
        assertThat(owners(AgentTables.MAIL_MESSAGES)).isEmpty();
        assertThat(cursor()).isEqualTo(6);

        forward(rows(AgentTables.USERS, MALLORY, 0, user(EVE, "eve")), 8);
        assertThat(closed).singleElement().asString().contains("asked for again");
        assertThat(cursor()).as("where the mail came from").isEqualTo(1);
        assertThat(quarantined()).isEmpty();
        // What is under way on the old link moves nothing.
        forward(rows(AgentTables.USERS, MALLORY, 0, user(EVE, "eve")), 9);
        assertThat(cursor()).isEqualTo(1);

        closed.clear();
        link.onOpen();
        link.onMessage(
                new Message.CatchUpResponse(
                        rows(AgentTables.MAIL_MESSAGES, MALLORY, 0, mail("m1", EVE)),
                        8,
                        8,
                        false,
                        false));
        assertThat(owners(AgentTables.MAIL_MESSAGES)).containsExactly(MALLORY);
        assertThat(cursor()).isEqualTo(8);
    }

    @Test
    void what_an_owner_before_wrote_counts_as_its_own() {
        @Nullable Object[] taken = user(EVE, "eve");
        taken[AgentTables.USERS.indexOf("former_hosts")] = MALLORY;
        forward(rows(AgentTables.USERS, OTHER, 7, taken));
        forward(rows(AgentTables.MAIL_MESSAGES, MALLORY, 0, mail("m1", EVE)));
        assertThat(owners(AgentTables.MAIL_MESSAGES)).containsExactly(MALLORY);
    }

    @Test
    void no_hub_can_use_up_the_positions_of_a_host() {
        long last = (1L << 37) - 1;
        seen(Map.of(last, 0L, 3L, Position.MAX_N + 1, -1L, 0L));
        assertThat(now()).isPositive();
        assertThat(Position.epoch(now())).isLessThan(Position.MAX_EPOCH_BY_CLOCK);

        ask(null, new Message.Heal(MessageRows.NONE, Long.MAX_VALUE, false), List.of());
        assertThat(closed).singleElement().asString().contains("impossible position");
        closed.clear();
        assertThat(now()).isPositive();

        // The most that is believed leaves room to go on.
        seen(Map.of(Position.MAX_EPOCH_ACCEPTED, 0L));
        for (int i = 0; i < 20; i++) {
            long before = now();
            seen(Map.of(Position.MAX_EPOCH_ACCEPTED - i, 1L));
            assertThat(now()).isGreaterThan(before);
        }
        assertThat(Position.epoch(now())).isLessThan(Position.MAX_EPOCH);
    }
}
