package dev.skep.store.backup;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.row.Column;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Reads a backup record by record; reading it to its end verifies it. */
public final class BackupReader implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    /** No row, and no file of a data dir, is longer; a damaged length must not take the memory. */
    private static final int LONGEST = 64 << 20;

    private static final int MANY = 10_000;

    private final Path file;
    private final MessageDigest sum = BackupFormat.sha256();
    private final InputStream raw;
    private final DataInputStream in;
    private int columns;

    private BackupReader(Path file, InputStream raw) throws IOException {
        this.file = file;
        this.raw = raw;
        if (!Arrays.equals(raw.readNBytes(BackupFormat.MAGIC.length), BackupFormat.MAGIC)) {
            throw new SkepException(
                    ErrorCode.BACKUP_DAMAGED,
                    "%s is not a backup; give a file that skep backup made".formatted(file));
        }
        // Unbuffered above the sum: it must not have seen the end when that is compared.
        this.in =
                new DataInputStream(
                        new DigestInputStream(
                                new BufferedInputStream(new GZIPInputStream(raw, BUFFER), BUFFER),
                                sum));
    }

    public static BackupReader open(Path file) {
        if (Files.isDirectory(file)) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND, "%s is a folder; name the file in it".formatted(file));
        }
        try {
            InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER);
            try {
                return new BackupReader(file, raw);
            } catch (IOException | RuntimeException e) {
                raw.close();
                throw e;
            }
        } catch (NoSuchFileException e) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND, "there is no file %s; check the path".formatted(file), e);
        } catch (AccessDeniedException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot read %s; make it readable by this user".formatted(file),
                    e);
        } catch (IOException e) {
            throw damaged(file, e);
        }
    }

    /** The next record; null at an end that fits what came before it. */
    public @Nullable BackupRecord next() {
        try {
            MessageDigest before = (MessageDigest) sum.clone();
            int kind = in.readByte();
            return switch (kind) {
                case BackupFormat.HEADER -> new BackupRecord.Header(facts());
                case BackupFormat.FILE -> new BackupRecord.File(text(), bytes());
                case BackupFormat.DATABASE -> new BackupRecord.Schema(text(), steps());
                case BackupFormat.TABLE -> table();
                case BackupFormat.ROW -> new BackupRecord.Row(row());
                case BackupFormat.END -> end(before.digest());
                default -> throw new IOException("record " + kind);
            };
        } catch (IOException | IllegalArgumentException e) {
            throw damaged(file, e);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    private @Nullable BackupRecord end(byte[] expected) throws IOException {
        byte[] stored = new byte[expected.length];
        in.readFully(stored);
        // Reading on makes gzip compare its own sum too.
        if (!MessageDigest.isEqual(stored, expected) || in.read() >= 0) {
            throw new IOException("sum");
        }
        return null;
    }

    private Map<String, String> facts() throws IOException {
        Map<String, String> facts = new HashMap<>();
        for (int i = count(); i > 0; i--) {
            facts.put(text(), text());
        }
        return facts;
    }

    private Map<Integer, String> steps() throws IOException {
        Map<Integer, String> steps = new HashMap<>();
        for (int i = count(); i > 0; i--) {
            steps.put(in.readInt(), text());
        }
        return steps;
    }

    private BackupRecord.Table table() throws IOException {
        String name = text();
        columns = count();
        List<Column> all = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            String column = text();
            all.add((in.readBoolean() ? Column.text(column) : Column.integer(column)).optional());
        }
        return new BackupRecord.Table(name, all);
    }

    private @Nullable Object[] row() throws IOException {
        @Nullable Object[] values = new Object[columns];
        for (int i = 0; i < columns; i++) {
            int kind = in.readByte();
            values[i] =
                    switch (kind) {
                        case BackupFormat.NULL -> null;
                        case BackupFormat.NUMBER -> in.readLong();
                        case BackupFormat.TEXT -> text();
                        default -> throw new IOException("value " + kind);
                    };
        }
        return values;
    }

    private int count() throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MANY) {
            throw new IOException("count " + count);
        }
        return count;
    }

    private String text() throws IOException {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    private byte[] bytes() throws IOException {
        int length = in.readInt();
        if (length < 0 || length > LONGEST) {
            throw new IOException("length " + length);
        }
        byte[] read = in.readNBytes(length);
        if (read.length < length) {
            throw new EOFException();
        }
        return read;
    }

    private static SkepException damaged(Path file, Exception e) {
        String how = e instanceof EOFException ? "ends too early" : "is damaged";
        return new SkepException(
                ErrorCode.BACKUP_DAMAGED,
                "backup %s %s; nothing was changed, use another one".formatted(file, how),
                e);
    }

    @Override
    public void close() {
        try {
            raw.close();
        } catch (IOException e) {
            throw damaged(file, e);
        }
    }
}
