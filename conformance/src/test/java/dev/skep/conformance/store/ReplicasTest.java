package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.directory.HostTable;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.store.feed.ReplicaWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicasTest extends EachDatabase {
    private static final HostId ROW = new HostId("01ROW00000000000000000000A");

    @Test
    void a_newer_row_replaces_an_older_one() {
        apply(StoreFixture.ORG, StoreFixture.PEER, 0, 5, "old");
        assertThat(apply(StoreFixture.ORG, StoreFixture.PEER, 0, 6, "new")).isEqualTo(1);

        assertThat(storedName()).isEqualTo("new");
    }

    @Test
    void a_row_that_is_not_newer_changes_nothing() {
        apply(StoreFixture.ORG, StoreFixture.PEER, 0, 6, "new");
        assertThat(apply(StoreFixture.ORG, StoreFixture.PEER, 0, 6, "same stamp")).isZero();
        assertThat(apply(StoreFixture.ORG, StoreFixture.PEER, 0, 5, "old")).isZero();

        assertThat(storedName()).isEqualTo("new");
    }

    @Test
    void nobody_overwrites_anothers_row_however_new_the_stamp() {
        apply(StoreFixture.ORG, StoreFixture.PEER, 0, 5, "owner's");
        assertThat(apply(StoreFixture.ORG, StoreFixture.SELF, 0, 99, "thief's")).isZero();

        assertThat(storedName()).isEqualTo("owner's");
        assertThat(isAnothers(StoreFixture.ORG, StoreFixture.SELF, 0)).isTrue();
        assertThat(isAnothers(StoreFixture.ORG, StoreFixture.PEER, 0)).isFalse();
    }

    @Test
    void a_higher_generation_moves_a_row_to_its_new_owner_for_good() {
        apply(StoreFixture.ORG, StoreFixture.PEER, 0, 99, "old owner's");
        assertThat(apply(StoreFixture.ORG, StoreFixture.SELF, 7, 1, "new owner's")).isEqualTo(1);
        assertThat(apply(StoreFixture.ORG, StoreFixture.PEER, 0, 100, "late edit")).isZero();

        assertThat(storedName()).isEqualTo("new owner's");
    }

    @Test
    void a_row_never_changes_its_org() {
        apply(StoreFixture.ORG, StoreFixture.PEER, 0, 5, "ours");
        assertThat(apply(StoreFixture.OTHER_ORG, StoreFixture.PEER, 9, 99, "theirs")).isZero();

        assertThat(storedName()).isEqualTo("ours");
        assertThat(isAnothers(StoreFixture.OTHER_ORG, StoreFixture.PEER, 9)).isTrue();
    }

    @Test
    void unknown_columns_are_kept() {
        SyncRow row =
                new SyncRow(
                        StoreFixture.PEER.value(),
                        0,
                        5,
                        StoreFixture.host(ROW, "n"),
                        "{\"colour\":\"red\"}");
        fixture.database.write(
                tx ->
                        fixture.hub.apply(
                                tx,
                                StoreFixture.ORG,
                                List.of(new TableRows(HostTable.HOSTS, List.of(row)))));

        String extra =
                fixture.database.read(
                        s ->
                                s.first("SELECT extra FROM hosts", r -> r.text("extra"))
                                        .orElseThrow());
        assertThat(extra).isEqualTo("{\"colour\":\"red\"}");
    }

    @Test
    void a_host_cannot_write_a_row_that_another_owns() {
        apply(StoreFixture.ORG, StoreFixture.PEER, 0, 5, "owner's");

        assertThatThrownBy(() -> fixture.putHost(ROW, "mine"))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
        assertThat(storedName()).isEqualTo("owner's");
    }

    @Test
    void a_row_over_the_cap_is_refused_where_it_is_written() {
        assertThatThrownBy(() -> fixture.putLog("big", "x".repeat(OwnRowWriter.MAX_ROW)))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.ROW_TOO_LARGE))
                .hasMessageContaining("context_log");
    }

    private int apply(OrgId org, HostId owner, long gen, long ver, String name) {
        SyncRow row = new SyncRow(owner.value(), gen, ver, StoreFixture.host(ROW, name), null);
        return fixture.database.write(
                tx ->
                        fixture.hub.apply(
                                tx, org, List.of(new TableRows(HostTable.HOSTS, List.of(row)))));
    }

    private boolean isAnothers(OrgId org, HostId owner, long gen) {
        SyncRow row = new SyncRow(owner.value(), gen, 100, StoreFixture.host(ROW, "x"), null);
        ReplicaWriter.Owner stored =
                fixture.database
                        .read(db -> fixture.hub.owners(db, HostTable.HOSTS, List.of(row)))
                        .get(HostTable.HOSTS.keyOf(row));
        return stored != null && !(stored.org().equals(org) && stored.host().equals(owner));
    }

    private String storedName() {
        return fixture.database.read(
                s -> s.first("SELECT name FROM hosts", r -> r.text("name")).orElseThrow());
    }
}
