package dev.skep.store.jdbc;

import java.sql.SQLException;

/** Carries an SQLException to the engine, which alone knows what it means. */
public final class UncheckedSqlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final SQLException sql;

    public UncheckedSqlException(SQLException sql) {
        super(sql.getMessage(), sql);
        this.sql = sql;
    }

    public SQLException sql() {
        return sql;
    }
}
