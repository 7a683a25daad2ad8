package dev.skep.supervisor.live;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One board for each org that somebody watches. Thread-safe. */
public final class LiveBoards implements Component {
    private final List<Topic> topics;
    private final EventBus eventBus;
    private final AtomicLong changes;
    private final LiveBoard.Time time;
    private final Map<OrgId, LiveBoard> boards = new ConcurrentHashMap<>();
    private EventBus.@Nullable Subscription subscription;
    private volatile boolean closed;

    /**
     * @param changes counted up before a change is told, so that nobody takes an older reading for
     *     a newer one
     */
    public LiveBoards(
            List<Topic> topics,
            EventBus eventBus,
            AtomicLong changes,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.topics = List.copyOf(topics);
        this.eventBus = eventBus;
        this.changes = changes;
        this.time = new LiveBoard.Time(clock, nanoTime, changes::incrementAndGet);
    }

    @Override
    public void start() {
        subscription = eventBus.subscribe(this::heard);
    }

    /** Says that these tables were written to, of whichever org; none named means any. */
    public void touch(Set<String> tables) {
        changes.incrementAndGet();
        boards.values().forEach(board -> board.touch(tables));
    }

    private void heard(FleetEvent event) {
        changes.incrementAndGet();
        LiveBoard board = boards.get(event.org());
        if (board != null) {
            board.touch(concerned(event));
        }
    }

    /** The tables an event is about; none for all. */
    private static Set<String> concerned(FleetEvent event) {
        return switch (event) {
            case FleetEvent.RowsStored stored -> stored.tables();
            case FleetEvent.JobCreated _, FleetEvent.JobRunStarted _ -> Set.of("jobs", "job_runs");
            // What it did may have started or stopped a server, and how it ended may be an alert.
            case FleetEvent.JobRunDone _ ->
                    Set.of("jobs", "job_runs", "server_instances", "alerts");
            case FleetEvent.HostStatusChanged _ -> Set.of("hosts", "host_health");
            case FleetEvent.HostEnrolled _, FleetEvent.HostRevoked _ -> Set.of();
        };
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
        if (subscription != null) {
            subscription.close();
        }
        closed = true;
        boards.values().forEach(LiveBoard::close);
    }
}
