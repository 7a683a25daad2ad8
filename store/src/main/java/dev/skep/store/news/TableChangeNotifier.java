package dev.skep.store.news;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.store.Database;
import dev.skep.store.SqlDialect;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports which tables of a database were written to, by any process. Other processes on a
 * PostgreSQL are notified at most ten times a second, however many commits there are: a
 * notification in each commit would make commits queue at the server. Thread-safe.
 */
public final class TableChangeNotifier implements Component {
    /** Where PostgreSQL tells other processes. */
    static final String CHANNEL = "skep_written";

    private static final long BREATH_MILLIS = 100;
    private static final String END = "";

    private final Database database;
    private final String process;

    /** Told of what other processes write. */
    private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();

    /** Tables to tell others of; as many as there are tables, or a few more. */
    private final LinkedBlockingQueue<String> untold = new LinkedBlockingQueue<>();

    private final List<Database.Listening> here = new CopyOnWriteArrayList<>();
    private Database.@Nullable Listening elsewhere;
    private @Nullable Thread telling;

    /**
     * @param process names this process among those on the database
     */
    public TableChangeNotifier(Database database, String process) {
        this.database = database;
        this.process = process;
    }

    /**
     * Runs the listener with the tables that were written to, none for any, until this is closed.
     * It must not block.
     */
    public void onChange(Consumer<Set<String>> listener) {
        listeners.add(listener);
        here.add(database.onWritten(listener));
    }

    /** The same of other processes only. */
    public void onChangeByOthers(Consumer<Set<String>> listener) {
        listeners.add(listener);
    }

    @Override
    public void start() {
        if (database.dialect() == SqlDialect.POSTGRES) {
            elsewhere = database.listen(CHANNEL, this::heard, () -> tell(Set.of()));
            telling = Thread.ofVirtual().name("table-news").start(this::tellOthers);
            here.add(database.onWritten(this::written));
        }
    }

    private void written(Set<String> tables) {
        for (String table : tables) {
            if (!untold.contains(table)) {
                untold.add(table);
            }
        }
    }

    private void heard(String message) {
        String[] parts = message.split(" ", 2);
        if (parts.length == 2 && !parts[0].equals(process)) {
            tell(Set.copyOf(List.of(parts[1].split(",", -1))));
        }
    }

    private void tell(Set<String> tables) {
        listeners.forEach(listener -> listener.accept(tables));
    }

    private void tellOthers() {
        try {
            for (String first = untold.take(); !first.equals(END); first = untold.take()) {
                TimeUnit.MILLISECONDS.sleep(BREATH_MILLIS);
                Set<String> tables = new HashSet<>(Set.of(first));
                untold.drainTo(tables);
                boolean last = tables.remove(END);
                send(tables);
                if (last) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void send(Set<String> tables) {
        try {
            String message = process + " " + String.join(",", tables);
            database.write(tx -> tx.first("SELECT pg_notify(?, ?)", row -> true, CHANNEL, message));
        } catch (SkepException unreachable) {
            // They lost their connection too, and look at everything when it is back.
        }
    }

    /** Others hear of what was written until now. */
    @Override
    public void close() {
        here.forEach(Database.Listening::close);
        if (elsewhere != null) {
            elsewhere.close();
        }
        Thread running = telling;
        if (running != null) {
            untold.add(END);
            try {
                running.join(TimeUnit.SECONDS.toMillis(2));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            running.interrupt();
        }
    }
}
