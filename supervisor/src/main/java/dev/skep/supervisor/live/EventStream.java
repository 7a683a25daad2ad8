package dev.skep.supervisor.live;

import dev.skep.kernel.id.Keyed;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The body of one tab's stream, as server-sent events. It ends after a while, so that the rights of
 * the viewer are checked again; the page reconnects at the same position.
 */
public final class EventStream implements Response.Body {
    private static final Duration BEAT = Duration.ofSeconds(10);

    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** How soon after an event the next may be sent: several commits become one event. */
    private static final Duration BREATH = Duration.ofMillis(50);

    private static final int LINES = 1_000;

    private final LiveBoard board;
    private final Set<String> topics;
    private final @Nullable FollowedLog log;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final String process;
    private final Optional<StreamPosition> from;
    private String line;

    private record Clock(Instant now) {}

    private record Reset(Set<String> topics) {}

    private record Lines(List<? extends Keyed> lines, boolean more) {}

    /**
     * @param from the id of the last event the page has, or where its rows were read
     * @param log what to follow beside the topics, after {@code line} or, without one, after the
     *     line in {@code from}
     */
    public EventStream(
            LiveBoard board,
            Set<String> topics,
            String from,
            @Nullable FollowedLog log,
            String line,
            Pace pace) {
        this.board = board;
        this.topics = Set.copyOf(topics);
        this.log = log;
        this.clock = pace.clock();
        this.nanoTime = pace.nanoTime();
        this.process = pace.process();
        this.from =
                StreamPosition.parse(from)
                        .filter(streamPosition -> streamPosition.process().equals(process));
        this.line = line.isEmpty() ? this.from.map(StreamPosition::line).orElse("") : line;
    }

    /**
     * What all streams of a process share.
     *
     * @param process names this process, so that another's numbers are not taken for its own
     */
    public record Pace(InstantSource clock, LongSupplier nanoTime, String process) {
        /** The id of an event with this number. */
        public String place(long number) {
            return new StreamPosition(process, number, "").toString();
        }
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        try (LiveBoard.Watch watch = board.watch(topics, from.map(StreamPosition::number))) {
            stream(watch, out);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stream(LiveBoard.Watch watch, OutputStream out)
            throws IOException, InterruptedException {
        long begun = nanoTime.getAsLong();
        long sentAt = begun;
        out.write("retry: 2000\n".getBytes(StandardCharsets.UTF_8));
        send(out, "clock", "", new Clock(clock.instant()));
        if (from.isEmpty() && !topics.isEmpty()) {
            send(out, "reset", "", new Reset(topics));
        }
        boolean behind = true;
        while (!watch.isOver() && nanoTime.getAsLong() - begun < LONGEST.toNanos()) {
            out.flush();
            LiveBoard.WatchUpdate watchUpdate = watch.next(behind ? Duration.ZERO : BEAT);
            int sent = send(out, watchUpdate);
            behind = log != null && follow(out, log, watchUpdate.number());
            long now = nanoTime.getAsLong();
            if (sent > 0 || behind) {
                sentAt = now;
            } else if (now - sentAt >= BEAT.toNanos()) {
                send(out, "clock", "", new Clock(clock.instant()));
                sentAt = now;
            }
            if (!behind) {
                out.flush();
                TimeUnit.NANOSECONDS.sleep(BREATH.toNanos());
            }
        }
    }

    private int send(OutputStream out, LiveBoard.WatchUpdate watchUpdate) throws IOException {
        String id = new StreamPosition(process, watchUpdate.number(), line).toString();
        if (watchUpdate.lost()) {
            send(out, "reset", id, new Reset(topics));
            return 1;
        }
        for (String delta : watchUpdate.deltas()) {
            write(out, "delta", id, delta);
        }
        return watchUpdate.deltas().size();
    }

    /** Sends the next lines; true if there may be more at once. */
    private boolean follow(OutputStream out, FollowedLog followed, long number) throws IOException {
        List<? extends Keyed> lines = followed.after(line, LINES);
        if (lines.isEmpty()) {
            return false;
        }
        line = lines.getLast().id();
        boolean more = lines.size() == LINES;
        String id = new StreamPosition(process, number, line).toString();
        send(out, "lines", id, new Lines(lines, more));
        return more;
    }

    private static void send(OutputStream out, String event, String id, Object value)
            throws IOException {
        write(out, event, id, Json.text(value));
    }

    private static void write(OutputStream out, String event, String id, String json)
            throws IOException {
        String head = id.isEmpty() ? "" : "id: " + id + "\n";
        String text = head + "event: " + event + "\ndata: " + json + "\n\n";
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The headers of a stream: no proxy may cache or delay it. */
    public Response response() {
        Response response = Response.streamed("text/event-stream", this);
        for (var header :
                Map.of("Cache-Control", "no-store", "X-Accel-Buffering", "no").entrySet()) {
            response = response.with(header.getKey(), header.getValue());
        }
        return response;
    }
}
