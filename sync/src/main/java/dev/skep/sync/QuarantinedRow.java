package dev.skep.sync;

import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.wire.Message;
import dev.skep.wire.MessageCodec;
import dev.skep.wire.MessageRows;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A row that goes to the quarantine, and why.
 *
 * @param from on a hub: what its owner wrote from here on does not count as pulled; 0 elsewhere
 */
public record QuarantinedRow(
        String hostId, String table, String key, Reason reason, long from, @Nullable String json) {

    /** Why a row is not among the others. */
    public enum Reason {
        /** It is of a table this version does not have. */
        UNKNOWN_TABLE("no such table here; update this side"),
        /** A column is missing, of the wrong kind, or holds what no database keeps. */
        BAD_COLUMN("a column is missing or not of its kind"),
        /** A text is longer than its column allows. */
        TEXT_TOO_LONG("a text is longer than its column allows"),
        TOO_LARGE("the row is too large"),
        /** The database refused it. */
        NOT_STORED("the database refuses the row"),
        /** Its id belongs to another host. */
        OWNERSHIP_VIOLATION("the row belongs to another host"),
        /** It is written for an agent that is not its host's, or not yet as far as is known. */
        AGENT_NOT_OF_HOST("the agent it is written for is not known to be of this host"),
        /** A host claims to have taken an agent over, and no operator granted that here. */
        TAKEOVER_UNCONFIRMED("no operator granted this takeover on this hub"),
        /** This host's copy of an agent that another host has taken over. */
        TAKEN_OVER("another host has taken the agent over"),
        /** Its owner was restored from a backup and has it no more. */
        LOST_TIMELINE("its owner no longer has it"),
        /** A hub reported to this host that it refused the row. */
        REJECTED_BY_HUB("a hub did not take the row");

        private final String message;

        Reason(String message) {
            this.message = message;
        }

        public static Reason of(String code) {
            return valueOf(code.toUpperCase(Locale.ROOT));
        }

        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        public String message() {
            return message;
        }

        /**
         * Whether the row's owner keeps it, however old, while a hub has it in quarantine: the hub
         * may accept it later. It never accepts a row of another owner.
         */
        public boolean holdsUp() {
            return switch (this) {
                case UNKNOWN_TABLE, BAD_COLUMN, TEXT_TOO_LONG, TOO_LARGE, NOT_STORED -> true;
                case AGENT_NOT_OF_HOST, TAKEOVER_UNCONFIRMED -> true;
                case OWNERSHIP_VIOLATION, TAKEN_OVER, LOST_TIMELINE, REJECTED_BY_HUB -> false;
            };
        }
    }

    /** The same where it came with a page that begins there. */
    public QuarantinedRow from(long position) {
        return new QuarantinedRow(
                hostId, table, key, reason, reason.holdsUp() ? position : 0, json);
    }

    /** The message for the sender. */
    public Message.Reject reject() {
        return new Message.Reject(table, key, reason.code(), reason.message());
    }

    public static QuarantinedRow of(SyncTable table, SyncRow row, Reason reason) {
        return new QuarantinedRow(
                row.hostId(),
                table.name(),
                MessageCodec.key(table, row),
                reason,
                0,
                MessageCodec.text(table, row));
    }

    public static QuarantinedRow of(String hostId, MessageRows.Refused refused) {
        Reason reason =
                switch (refused.reason()) {
                    case UNKNOWN_TABLE -> Reason.UNKNOWN_TABLE;
                    case BAD_COLUMN -> Reason.BAD_COLUMN;
                    case TEXT_TOO_LONG -> Reason.TEXT_TOO_LONG;
                    case TOO_LARGE -> Reason.TOO_LARGE;
                };
        return new QuarantinedRow(
                hostId, refused.table(), refused.key(), reason, 0, refused.json());
    }
}
