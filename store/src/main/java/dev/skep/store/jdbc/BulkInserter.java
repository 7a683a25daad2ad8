package dev.skep.store.jdbc;

import dev.skep.store.BulkInsert;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statement shape a database takes many rows with fastest. */
@FunctionalInterface
public interface BulkInserter {
    int insert(StatementCache statementCache, BulkInsert insert, List<@Nullable Object[]> rows)
            throws SQLException;
}
