package dev.skep.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A connection's prepared statements, kept for reuse while they fit. A statement is lent to one
 * caller at a time, so that a nested use of the same text gets one of its own.
 */
public final class StatementCache implements AutoCloseable {
    private static final int KEPT = 200;

    private final Connection connection;
    private final LinkedHashMap<String, PreparedStatement> idle =
            new LinkedHashMap<>(64, 0.75f, true);

    public StatementCache(Connection connection) {
        this.connection = connection;
    }

    PreparedStatement borrow(String sql) throws SQLException {
        PreparedStatement kept = idle.remove(sql);
        return kept != null ? kept : connection.prepareStatement(sql);
    }

    void giveBack(String sql, PreparedStatement statement) throws SQLException {
        PreparedStatement other = idle.put(sql, statement);
        if (other != null) {
            other.close();
        }
        if (idle.size() > KEPT) {
            Map.Entry<String, PreparedStatement> oldest = idle.firstEntry();
            idle.remove(oldest.getKey());
            oldest.getValue().close();
        }
    }

    @Override
    public void close() throws SQLException {
        List<PreparedStatement> all = new ArrayList<>(idle.values());
        idle.clear();
        for (PreparedStatement statement : all) {
            statement.close();
        }
    }
}
