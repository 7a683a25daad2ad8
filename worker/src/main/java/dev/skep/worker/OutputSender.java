package dev.skep.worker;

import dev.skep.kernel.error.SkepException;
import dev.skep.shell.redact.RedactedStream;
import dev.skep.shell.redact.Redactor;
import dev.skep.wire.call.OutputChunk;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gathers a run's output and sends it about once a second. What could not be sent waits, within a
 * bound; beyond it the middle is left out and counted. Thread-safe.
 */
final class OutputSender implements RunOutput {
    private static final int PIECE = 8_192;
    private static final int WAITING = 256;

    /** The hub keeps at most this many chunks of a run. */
    private static final int MOST = 4_999;

    private final DispatchClient dispatchClient;
    private final AssignedRun run;
    private final Redactor redactor;
    private final Map<String, RedactedStream> streams = new LinkedHashMap<>();
    private final ReentrantLock sending = new ReentrantLock();
    private final List<OutputChunk> waiting = new ArrayList<>();
    private long next;
    private long omitted;

    OutputSender(DispatchClient dispatchClient, AssignedRun run, Redactor redactor) {
        this.dispatchClient = dispatchClient;
        this.run = run;
        this.redactor = redactor;
    }

    @Override
    public synchronized void write(String stream, String text) {
        keep(stream, streams.computeIfAbsent(stream, _ -> redactor.stream()).write(text));
    }

    private void keep(String stream, String clean) {
        for (int from = 0; from < clean.length(); from += PIECE) {
            String piece = clean.substring(from, Math.min(clean.length(), from + PIECE));
            if (waiting.size() >= WAITING || next >= MOST) {
                omitted += piece.length();
            } else {
                waiting.add(new OutputChunk(next++, stream, piece));
            }
        }
    }

    /** Sends what waits; keeps it when the hub is away. */
    void flush() {
        // A run may end while its output is on the way: two would take the same pieces off.
        sending.lock();
        try {
            sendWaiting();
        } finally {
            sending.unlock();
        }
    }

    private void sendWaiting() {
        List<OutputChunk> batch;
        synchronized (this) {
            streams.forEach((stream, text) -> keep(stream, text.pause()));
            if (waiting.isEmpty()) {
                return;
            }
            batch = List.copyOf(waiting);
        }
        try {
            dispatchClient.print(run.runId(), run.attempt(), batch);
        } catch (SkepException hubAway) {
            return;
        }
        synchronized (this) {
            waiting.subList(0, batch.size()).clear();
        }
    }

    /** Sends the last of it, with a note about what is missing. */
    void finish() {
        synchronized (this) {
            streams.forEach((stream, text) -> keep(stream, text.end()));
            if (omitted > 0) {
                String note = "\n[%,d characters of output were left out]\n".formatted(omitted);
                waiting.add(new OutputChunk(Math.min(next++, MOST), "note", note));
            }
        }
        flush();
    }
}
