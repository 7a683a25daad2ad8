package dev.skep.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The fields of the current row, by column name or by position from 1. */
public interface ResultRow {
    /** A text from a column that is never null. */
    String text(String column);

    @Nullable String textOrNull(String column);

    long number(String column);

    @Nullable Long numberOrNull(String column);

    boolean flag(String column);

    Instant time(String column);

    @Nullable Instant timeOrNull(String column);

    byte[] bytes(String column);

    String text(int position);

    @Nullable String textOrNull(int position);

    long number(int position);

    @Nullable Long numberOrNull(int position);

    Instant time(int position);

    @Nullable Instant timeOrNull(int position);
}
