package dev.skep.store;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a database is: a SQLite file or a PostgreSQL server. Printing it shows no password. */
public sealed interface DatabaseUrl {

    /** A SQLite file. */
    record Sqlite(Path file) implements DatabaseUrl {
        @Override
        public String toString() {
            return file.toString();
        }
    }

    /**
     * A PostgreSQL database.
     *
     * @param options what stood after the {@code ?}, handed to the driver
     */
    record Postgres(
            String host,
            int port,
            String database,
            @Nullable String user,
            @Nullable String password,
            @Nullable String options)
            implements DatabaseUrl {
        @Override
        public String toString() {
            return "postgresql://" + host + ":" + port + "/" + database;
        }
    }

    /**
     * Reads {@code file:./hub.db}, {@code sqlite:hub.db}, a bare path or {@code
     * postgresql://user:pass@host:5432/name}; relative files are relative to {@code base}.
     */
    static DatabaseUrl parse(String text, Path base) {
        String trimmed = text.strip();
        if (trimmed.startsWith("postgresql:") || trimmed.startsWith("postgres:")) {
            return postgres(trimmed);
        }
        if (trimmed.contains("://") && !trimmed.startsWith("file://")) {
            throw unusable(
                    "DATABASE_URL has the scheme '%s'; use file:./skep.db or postgresql://user:password@host:5432/name"
                            .formatted(trimmed.substring(0, trimmed.indexOf("://"))));
        }
        String path = trimmed.replaceFirst("^file://(?=/)", "").replaceFirst("^(file|sqlite):", "");
        if (path.isBlank()) {
            throw unusable("DATABASE_URL names no file; use for example file:./skep.db");
        }
        try {
            return new Sqlite(base.resolve(path).normalize());
        } catch (InvalidPathException e) {
            throw unusable("DATABASE_URL is not a usable path: " + e.getReason());
        }
    }

    private static DatabaseUrl postgres(String text) {
        try {
            URI uri = new URI(text);
            String path = uri.getPath();
            if (uri.getHost() == null || path == null || path.length() < 2) {
                throw unusable(
                        "DATABASE_URL lacks a host or a database name; use postgresql://user:password@host:5432/name, and percent-encode special characters in the password");
            }
            String userInfo = uri.getUserInfo();
            int colon = userInfo == null ? -1 : userInfo.indexOf(':');
            String user = userInfo == null || colon < 0 ? userInfo : userInfo.substring(0, colon);
            String password = userInfo == null || colon < 0 ? null : userInfo.substring(colon + 1);
            int port = uri.getPort() < 0 ? 5432 : uri.getPort();
            return new Postgres(
                    uri.getHost(), port, path.substring(1), user, password, uri.getRawQuery());
        } catch (URISyntaxException e) {
            // The exception's message would repeat the whole URL, password included.
            throw unusable(
                    "DATABASE_URL is not a valid URL (%s); percent-encode special characters in the password"
                            .formatted(e.getReason()));
        }
    }

    private static SkepException unusable(String message) {
        return new SkepException(ErrorCode.BAD_CONFIGURATION, message);
    }
}
