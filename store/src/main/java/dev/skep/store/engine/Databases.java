package dev.skep.store.engine;

import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.migration.Migrations;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/** Opens databases: migrated and checked before anyone else sees them. */
public final class Databases {
    private Databases() {}

    /** Opens a database for this process to own, bringing its schema up to date. */
    public static Database open(DatabaseUrl url, InstantSource clock) {
        Database database = openRaw(url);
        return checked(database, () -> Migrations.shipped().apply(database, clock));
    }

    /** Opens a new database that is gone with this process and writes nothing anywhere. */
    public static Database openInMemory(InstantSource clock) {
        Database database = new MemoryDatabase();
        return checked(database, () -> Migrations.shipped().apply(database, clock));
    }

    /** Opens a database for this process to own, with whatever schema it has, or none. */
    public static Database openRaw(DatabaseUrl url) {
        return switch (url) {
            case DatabaseUrl.Sqlite(var file) -> SqliteDatabase.open(file);
            case DatabaseUrl.Postgres postgres -> PostgresDatabase.open(postgres);
        };
    }

    /** Opens another process's database to look at; its schema is checked, never changed. */
    public static Database openReadOnly(DatabaseUrl url) {
        Database database = openForInspection(url);
        return checked(database, () -> Migrations.shipped().check(database));
    }

    /** Opens a database without checking its schema; the caller does. */
    public static Database openForInspection(DatabaseUrl url) {
        return switch (url) {
            case DatabaseUrl.Sqlite sqlite -> ReadOnlyDatabase.open(sqlite);
            case DatabaseUrl.Postgres postgres -> PostgresDatabase.open(postgres);
        };
    }

    /** Opens another program's SQLite file to read from; nothing is expected of its schema. */
    public static Database openForeign(DatabaseUrl.Sqlite url) {
        return ReadOnlyDatabase.open(url);
    }

    /** The process that owns a SQLite file, if one does. */
    public static Optional<String> holder(Path file) {
        return DatabaseFileLock.holder(file);
    }

    private static Database checked(Database database, Runnable check) {
        try {
            check.run();
            return database;
        } catch (RuntimeException | Error failure) {
            database.close();
            throw failure;
        }
    }
}
