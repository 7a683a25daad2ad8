package dev.skep.store.engine;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.DatabaseUrl;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** Explains PostgreSQL's SQL states in one line to the person who runs this. */
final class PostgresErrors {
    private final DatabaseUrl url;

    PostgresErrors(DatabaseUrl url) {
        this.url = url;
    }

    SkepException translate(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        if (state.startsWith("08")
                || state.startsWith("57P")
                || e instanceof SQLTransientConnectionException) {
            return failed(
                    ErrorCode.DATABASE_UNREACHABLE,
                    "cannot reach PostgreSQL at %s; check DATABASE_URL and that the server runs",
                    e);
        }
        return switch (state) {
            case "28P01", "28000" ->
                    failed(
                            ErrorCode.DATABASE_UNREACHABLE,
                            "PostgreSQL at %s refuses the user or password in DATABASE_URL",
                            e);
            case "3D000" ->
                    failed(
                            ErrorCode.DATABASE_UNREACHABLE,
                            "PostgreSQL has no database %s; create it first (createdb)",
                            e);
            case "53100" ->
                    failed(
                            ErrorCode.DISK_FULL,
                            "no space left for %s; free some on the server (nothing was stored)",
                            e);
            case "53300" ->
                    failed(
                            ErrorCode.DATABASE_UNREACHABLE,
                            "%s has no connection left; raise max_connections",
                            e);
            case "57014", "55P03" ->
                    failed(
                            ErrorCode.DATABASE_BUSY,
                            "%s does not answer in time (nothing was stored)",
                            e);
            case "23505", "23502", "23514" ->
                    failed(ErrorCode.CONFLICT, "%s refuses the row: " + firstLine(e), e);
            default -> failed(ErrorCode.INTERNAL, "%s: " + firstLine(e), e);
        };
    }

    /** Two writers met in a way the server resolves by sending one of them back to the start. */
    static boolean isWorthRetrying(SQLException e) {
        return "40001".equals(e.getSQLState()) || "40P01".equals(e.getSQLState());
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private SkepException failed(ErrorCode code, String message, SQLException cause) {
        return new SkepException(code, message.replace("%s", url.toString()), cause);
    }
}
