package dev.skep.store.backup;

import dev.skep.kernel.row.Column;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Writes a backup as it is made; nothing of it is held. Closing without an end leaves none. */
public final class BackupWriter implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final MessageDigest sum = BackupFormat.sha256();
    private final GZIPOutputStream packed;
    private final DataOutputStream out;

    public BackupWriter(OutputStream to) throws IOException {
        to.write(BackupFormat.MAGIC);
        packed = new FastGzip(to);
        out =
                new DataOutputStream(
                        new BufferedOutputStream(new DigestOutputStream(packed, sum), BUFFER));
    }

    /** Least effort: a backup waits for the disk, not for the last percent. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream to) throws IOException {
            super(to, BUFFER);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    public void write(BackupRecord record) throws IOException {
        switch (record) {
            case BackupRecord.Header(Map<String, String> facts) -> {
                out.writeByte(BackupFormat.HEADER);
                out.writeInt(facts.size());
                for (Map.Entry<String, String> fact : new TreeMap<>(facts).entrySet()) {
                    text(fact.getKey());
                    text(fact.getValue());
                }
            }
            case BackupRecord.File(String path, byte[] content) -> {
                out.writeByte(BackupFormat.FILE);
                text(path);
                bytes(content);
            }
            case BackupRecord.Schema(String database, Map<Integer, String> steps) -> {
                out.writeByte(BackupFormat.DATABASE);
                text(database);
                out.writeInt(steps.size());
                for (Map.Entry<Integer, String> step : new TreeMap<>(steps).entrySet()) {
                    out.writeInt(step.getKey());
                    text(step.getValue());
                }
            }
            case BackupRecord.Table table -> {
                out.writeByte(BackupFormat.TABLE);
                text(table.name());
                out.writeInt(table.columns().size());
                for (Column column : table.columns()) {
                    text(column.name());
                    out.writeBoolean(column.type() == Column.Type.TEXT);
                }
            }
            case BackupRecord.Row(@Nullable Object[] values) -> row(values);
        }
    }

    private void row(@Nullable Object[] values) throws IOException {
        out.writeByte(BackupFormat.ROW);
        for (Object value : values) {
            switch (value) {
                case null -> out.writeByte(BackupFormat.NULL);
                case Long number -> {
                    out.writeByte(BackupFormat.NUMBER);
                    out.writeLong(number);
                }
                case String words -> {
                    out.writeByte(BackupFormat.TEXT);
                    text(words);
                }
                default ->
                        throw new IllegalArgumentException(
                                "a backup holds no " + value.getClass().getSimpleName());
            }
        }
    }

    /** Writes the sum of it all; only now it is a backup. */
    public void end() throws IOException {
        out.flush();
        byte[] over = sum.digest();
        out.writeByte(BackupFormat.END);
        out.write(over);
        out.flush();
        packed.finish();
        packed.flush();
    }

    private void text(String value) throws IOException {
        bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    private void bytes(byte[] value) throws IOException {
        out.writeInt(value.length);
        out.write(value);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
