package dev.skep.sync;

import dev.skep.kernel.row.NameTakenMessage;
import dev.skep.wire.Message;

/** A row whose name another row of the org had first. */
public record NameConflict(NamedTable table, String id, String name) {
    public static final String REASON = "name_conflict";

    public Message.Reject reject() {
        return new Message.Reject(
                table.table().name(), id, REASON, NameTakenMessage.words(table.label(), name));
    }
}
