package dev.skep.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.sync.hub.HubSync;
import dev.skep.wire.Message;
import dev.skep.wire.Message.SyncError;
import dev.skep.wire.MessageRows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts that break the protocol, and a hub that refuses them. */
class HostsThatMisbehaveTest extends HubEndOfLinks {
    HostsThatMisbehaveTest(@TempDir Path folder) {
        super(folder);
    }

    @Test
    void a_host_that_says_it_is_another_is_refused() {
        Socket socket = new Socket(MALLORY);
        socket.say(new Message.CatchUp(ALICE.id().value(), 1, 1, 1, 0, 0, Map.of()));
        socket.assertRefused(SyncError.NOT_AUTHORISED);
    }

    @Test
    void another_version_is_named_with_ours() {
        Socket socket = new Socket(ALICE);
        socket.say(new Message.CatchUp(ALICE.id().value(), 2, 1, 1, 0, 0, Map.of()));
        socket.assertRefused(SyncError.SCHEMA_VERSION_MISMATCH);
        assertThat(socket.received)
                .contains(
                        new SyncError(
                                SyncError.SCHEMA_VERSION_MISMATCH,
                                1L,
                                2L,
                                "Runner schema version 2 does not match Hub version 1. Please update hub."));
    }

    @Test
    void an_answer_is_awaited_until_it_comes_or_its_host_leaves() {
        Socket socket = new Socket(ALICE).connect();
        assertThat(hub.asked())
                .containsExactly(
                        Map.entry(
                                ALICE.id(),
                                new HubSync.PendingResponse(CLOCK.instant(), CLOCK.instant())));
        socket.answer(5, user(ALICE, 0, 5, "a", "anna"));
        assertThat(hub.asked()).isEmpty();

        socket.say(new Message.SyncAvailable());
        assertThat(hub.asked()).containsOnlyKeys(ALICE.id());
        socket.link.onClosed();
        assertThat(hub.asked()).isEmpty();
    }

    @Test
    void only_a_host_that_knows_what_it_means_is_asked_ahead() {
        Socket old = new Socket(ALICE).connect(1);
        old.answer(5, true, user(ALICE, 0, 5, "a", "anna"));
        assertThat(old.lastAsked().since()).isEqualTo(5);
        assertThat(old.lastAsked().ahead()).isFalse();

        Socket current = new Socket(MALLORY).connect(SyncSchema.PROTOCOL_AHEAD);
        current.answer(5, true, user(MALLORY, 0, 5, "m", "mallory"));
        assertThat(current.lastAsked().since()).isEqualTo(5);
        assertThat(current.lastAsked().ahead()).isTrue();
    }

    @Test
    void a_host_with_much_is_not_asked_ahead_while_another_waits_for_its_turn() {
        SyncLimits usual = SyncLimits.DEFAULT;
        HubSync oneAtATime =
                new HubSync(
                        store,
                        ProductTables.SCHEMA,
                        new SyncLimits(
                                usual.page(),
                                1,
                                usual.patience(),
                                usual.timeout(),
                                usual.idle(),
                                usual.tailBytes()),
                        CLOCK);
        Socket busy = new Socket(ALICE, oneAtATime).connect();
        Socket waiting = new Socket(MALLORY, oneAtATime).connect();
        assertThat(waiting.received).noneMatch(Message.SyncRequest.class::isInstance);

        busy.answer(5, true, user(ALICE, 0, 5, "a", "anna"));

        assertThat(waiting.lastAsked().ahead()).isFalse();
        assertThat(busy.lastAsked().since()).as("not asked again").isZero();
        waiting.answer(7, user(MALLORY, 0, 7, "m", "mallory"));
        assertThat(busy.lastAsked().since()).isEqualTo(5);
    }

    @Test
    void rows_that_were_not_requested_are_refused() {
        Socket socket = new Socket(ALICE);
        socket.say(
                new Message.SyncResponse(
                        1, ALICE.id().value(), MessageRows.NONE, 5, 5, false, 0, false));
        socket.assertRefused(SyncError.BAD_MESSAGE);
    }

    @Test
    void positions_that_do_not_follow_each_other_are_refused() {
        Socket socket = new Socket(ALICE).connect();
        socket.answer(100, user(ALICE, 0, 100, "a", "anna"));
        assertThat(stored("username")).isEqualTo("anna");
        socket.say(new Message.SyncAvailable());
        socket.answer(99, user(ALICE, 0, 99, "b", "bert"));
        socket.assertRefused(SyncError.BAD_MESSAGE);
        assertThat(stored("username")).isEqualTo("anna");
    }

    @Test
    void one_row_of_another_host_ends_the_link_and_stores_nothing() {
        Socket socket = new Socket(MALLORY).connect();
        socket.answer(7, user(MALLORY, 0, 6, "m", "mallory"), user(ALICE, 0, 7, "a", "anna"));
        socket.assertRefused(SyncError.OWNERSHIP_VIOLATION);
        assertThat(stored("username")).isEmpty();
    }

    @Test
    void a_newer_link_fences_the_older_one() {
        Socket old = new Socket(ALICE).connect();
        Socket young = new Socket(ALICE).connect();
        old.answer(5, user(ALICE, 0, 5, "a", "late"));
        assertThat(old.closed).isTrue();
        assertThat(stored("username")).isEmpty();
        young.answer(6, user(ALICE, 0, 6, "a", "anna"));
        assertThat(stored("username")).isEqualTo("anna");
    }

    @Test
    void a_host_that_is_restored_again_and_again_is_two_hosts_whatever_the_wall_clock_says() {
        Socket socket = new Socket(ALICE).connect();
        SyncError lost = new SyncError(SyncError.UNKNOWN_HEAD, "restored");
        for (int i = 1; i <= 3; i++) {
            socket.say(lost);
            Message.SyncRequest heal = (Message.SyncRequest) socket.received.getLast();
            assertThat(heal.heal()).isNotNull();
            socket.say(
                    new Message.SyncResponse(
                            heal.reqId(),
                            ALICE.id().value(),
                            MessageRows.NONE,
                            0,
                            i,
                            false,
                            0,
                            true));
            wall = wall.plus(Duration.ofDays(2));
        }
        socket.say(lost);
        socket.assertRefused(SyncError.HOST_CLONED);
    }
}
