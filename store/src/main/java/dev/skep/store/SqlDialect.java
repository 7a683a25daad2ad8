package dev.skep.store;

/** Which database speaks; statements ask only where the two differ. */
public enum SqlDialect {
    SQLITE,
    POSTGRES
}
