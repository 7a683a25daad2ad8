package dev.skep.store.engine;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteException;

/** Explains SQLite's result codes in one line to the person who runs this. */
final class SqliteErrors {
    private static final int FULL = 13;
    private static final int IO = 10;

    /** What SQLite takes at once, for its index of the log; less is a full disk. */
    private static final long ROOM = 64 << 10;

    private final Path file;

    SqliteErrors(Path file) {
        this.file = file;
    }

    SkepException translate(SQLException e) {
        int result = e instanceof SQLiteException sqlite ? sqlite.getResultCode().code & 0xff : -1;
        return switch (result == IO && !hasRoom() ? FULL : result) {
            case 5, 6 ->
                    failed(
                            ErrorCode.DATABASE_BUSY,
                            "%s is locked by another process; stop it or use another --data-dir",
                            e);
            case 3, 8, 14 ->
                    failed(
                            ErrorCode.DATA_DIR_UNUSABLE,
                            "cannot write %s; make the file and its folder writable by this user",
                            e);
            case IO ->
                    failed(
                            ErrorCode.DATA_DIR_UNUSABLE,
                            "the disk failed while reading or writing %s; check the disk and its file system",
                            e);
            case 11 ->
                    failed(
                            ErrorCode.DATABASE_DAMAGED,
                            "%s is damaged; move it aside and restore a backup",
                            e);
            case FULL ->
                    failed(
                            ErrorCode.DISK_FULL,
                            "no space left for %s; free some space on its disk (nothing was stored)",
                            e);
            case 19 -> failed(ErrorCode.CONFLICT, "%s refuses the row: " + e.getMessage(), e);
            case 26 ->
                    failed(
                            ErrorCode.NOT_A_DATABASE,
                            "%s is not a SQLite database; move it aside, or check --data-dir and DATABASE_URL",
                            e);
            default -> failed(ErrorCode.INTERNAL, "%s: " + e.getMessage(), e);
        };
    }

    boolean hasRoom() {
        try {
            return Files.getFileStore(file).getUsableSpace() >= ROOM;
        } catch (IOException unknown) {
            return true;
        }
    }

    private SkepException failed(ErrorCode code, String message, SQLException cause) {
        return new SkepException(code, message.replace("%s", file.toString()), cause);
    }
}
