package dev.skep.store.backup;

import dev.skep.kernel.row.Column;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One record of a backup, in the order in which they stand. */
public sealed interface BackupRecord {

    /**
     * What the backup is of.
     *
     * @param facts made by which version, when, of which host; for people and for restoring
     */
    record Header(Map<String, String> facts) implements BackupRecord {
        public Header {
            facts = Map.copyOf(facts);
        }
    }

    /**
     * A file of the data dir.
     *
     * @param path below it, with {@code /} on every system
     */
    @SuppressWarnings("ArrayRecordComponent") // written once, never compared
    record File(String path, byte[] content) implements BackupRecord {}

    /**
     * A database begins.
     *
     * @param steps the migrations it has, each with its checksum
     */
    record Schema(String database, Map<Integer, String> steps) implements BackupRecord {
        public Schema {
            steps = Map.copyOf(steps);
        }
    }

    /** A table of the database before it begins. */
    record Table(String name, List<Column> columns) implements BackupRecord {
        public Table {
            columns = List.copyOf(columns);
        }
    }

    /** A row of the table before it; its values are texts, longs and nulls. */
    @SuppressWarnings("ArrayRecordComponent")
    record Row(@Nullable Object[] values) implements BackupRecord {}
}
