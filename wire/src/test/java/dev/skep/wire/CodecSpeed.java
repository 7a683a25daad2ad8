package dev.skep.wire;

import static dev.skep.wire.Samples.LOG;

import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the codec by hand: {@code java -cp … dev.skep.wire.CodecSpeed}. Pages of log rows with
 * about 500 bytes each, one thread.
 */
final class CodecSpeed {
    private static final int ROWS = 2_000;

    /** Time of this thread on a core: what else runs on the machine does not count. */
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private CodecSpeed() {}

    public static void main(String[] args) {
        MessageCodec codec = Samples.codec();
        List<SyncRow> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(Samples.log("01HYLOG%019d".formatted(i), text(i)));
        }
        Frame frame = codec.encode(page(rows));
        System.out.printf("%d rows, %d bytes compressed%n", ROWS, frame.bytes().length);
        for (int round = 0; round < 5; round++) {
            long start = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < 100; i++) {
                frame = codec.encode(page(rows));
            }
            long encoded = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < 100; i++) {
                codec.decode(frame);
            }
            long decoded = THREADS.getCurrentThreadCpuTime();
            System.out.printf(
                    "encode %,d rows/s, decode %,d rows/s%n",
                    ROWS * 100L * 1_000_000_000L / (encoded - start),
                    ROWS * 100L * 1_000_000_000L / (decoded - encoded));
        }
    }

    private static Message page(List<SyncRow> rows) {
        return new Message.SyncResponse(
                1, "h", MessageRows.of(List.of(new TableRows(LOG, rows))), 5, 5, false, 0, false);
    }

    private static String text(int i) {
        StringBuilder text = new StringBuilder("line " + i + ": ");
        for (int word = 0; text.length() < 300; word++) {
            text.append("word").append((i * 31 + word * 17) % 997).append(' ');
        }
        return text.toString();
    }
}
