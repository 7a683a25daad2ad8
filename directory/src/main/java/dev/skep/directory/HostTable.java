package dev.skep.directory;

import static dev.skep.kernel.row.Column.LINE;
import static dev.skep.kernel.row.Column.NAME;
import static dev.skep.kernel.row.Column.integer;
import static dev.skep.kernel.row.Column.text;

import dev.skep.kernel.row.SyncTable;
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

    private HostTable() {}
}
