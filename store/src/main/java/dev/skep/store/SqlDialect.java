package dev.skep.store;

/** The database in use; statements check it only where the two differ. */
public enum SqlDialect {
    SQLITE,
    POSTGRES
}
