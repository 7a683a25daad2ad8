package dev.skep.store.jdbc;

import dev.skep.store.BulkInsert;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Many rows in one VALUES list: what SQLite likes best. */
public final class ValuesInserter implements BulkInserter {
    /** Few shapes, so that their statements stay prepared; 100 rows reach nearly full speed. */
    private static final int[] CHUNKS = {100, 10, 1};

    /** SQLite's limit on parameters of one statement. */
    private static final int MAX_PARAMETERS = 32_766;

    @Override
    public int insert(
            StatementCache statementCache, BulkInsert insert, List<@Nullable Object[]> rows)
            throws SQLException {
        int changed = 0;
        int from = 0;
        for (int chunk : CHUNKS) {
            if (chunk * insert.columns().size() > MAX_PARAMETERS) {
                continue;
            }
            if (rows.size() - from < chunk) {
                continue;
            }
            String sql = sql(insert, chunk);
            PreparedStatement statement = statementCache.borrow(sql);
            for (; rows.size() - from >= chunk; from += chunk) {
                int at = 1;
                for (Object[] row : rows.subList(from, from + chunk)) {
                    for (Object value : row) {
                        ParameterBinder.bind(statement, at++, value);
                    }
                }
                changed += statement.executeUpdate();
            }
            statementCache.giveBack(sql, statement);
        }
        return changed;
    }

    private static String sql(BulkInsert insert, int rows) {
        List<String> values = new ArrayList<>(Collections.nCopies(insert.columns().size(), "?"));
        values.addAll(insert.expressions());
        String one = "(" + String.join(", ", values) + ")";
        return "INSERT INTO %s (%s) VALUES %s %s"
                .formatted(
                        insert.table(),
                        insert.columnNames(),
                        String.join(", ", Collections.nCopies(rows, one)),
                        insert.onConflict());
    }
}
