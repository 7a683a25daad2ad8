package dev.skep.directory;

import static dev.skep.kernel.row.Column.LINE;
import static dev.skep.kernel.row.Column.NAME;
import static dev.skep.kernel.row.Column.integer;
import static dev.skep.kernel.row.Column.text;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.feed.RowCodec;
import java.util.List;

/** The synced table {@code hosts}: one row per enrolled machine, owned by that machine. */
public final class HostTable {
    public static final SyncTable HOSTS =
            SyncTable.forwarded(
                    "hosts",
                    List.of("id"),
                    text("id"),
                    text("name").upTo(NAME),
                    text("kind"),
                    text("public_key").optional(),
                    text("machine_id").optional(),
                    integer("name_conflict"),
                    integer("healed_epoch").optional(),
                    // Written by versions that aged rows by the time in their ids.
                    text("retained_from").optional(),
                    text("floors").upTo(LINE).optional());

    public static final RowCodec<HostRow> ROWS =
            RowCodec.<HostRow>of(HOSTS)
                    .column("id", host -> host.id().value())
                    .column("name", HostRow::name)
                    .column("kind", HostRow::kind)
                    .column("public_key", HostRow::publicKey)
                    .column("machine_id", HostRow::machineId)
                    .column("name_conflict", HostRow::nameConflict)
                    .column("healed_epoch", HostRow::healedEpoch)
                    .column("retained_from", HostRow::retainedFrom)
                    .column("floors", HostRow::floors)
                    .column("created_at", HostRow::createdAt)
                    .reads(
                            row ->
                                    new HostRow(
                                            new HostId(row.text("id")),
                                            row.text("name"),
                                            row.text("kind"),
                                            row.textOrNull("public_key"),
                                            row.textOrNull("machine_id"),
                                            row.flag("name_conflict"),
                                            row.numberOrNull("healed_epoch"),
                                            row.textOrNull("retained_from"),
                                            row.textOrNull("floors"),
                                            row.time("created_at")));

    private HostTable() {}
}
