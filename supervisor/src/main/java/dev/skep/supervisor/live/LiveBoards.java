package dev.skep.supervisor.live;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** One board for each org that is watched. Thread-safe. */
public final class LiveBoards implements AutoCloseable {
    private final List<Topic> topics;
    private final AtomicLong changes;
    private final LiveBoard.Time time;
    private final Map<OrgId, LiveBoard> boards = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * @param changes counted up before a change is reported, so that no older reading passes for a
     *     newer one
     */
    public LiveBoards(
            List<Topic> topics, AtomicLong changes, InstantSource clock, LongSupplier nanoTime) {
        this.topics = List.copyOf(topics);
        this.changes = changes;
        this.time = new LiveBoard.Time(clock, nanoTime, changes::incrementAndGet);
    }

    /** These tables were written to, in any org; an empty set means any table. */
    public void touch(Set<String> tables) {
        changes.incrementAndGet();
        boards.values().forEach(board -> board.touch(tables));
    }

    public LiveBoard of(OrgId org) {
        if (closed) {
            throw new SkepException(ErrorCode.CLOSED, "the supervisor is stopping; try again soon");
        }
        return boards.computeIfAbsent(
                org, id -> new LiveBoard(new Principal.Local(id), topics, time));
    }

    @Override
    public void close() {
        closed = true;
        boards.values().forEach(LiveBoard::close);
    }
}
