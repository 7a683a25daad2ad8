package dev.skep.store.news;

import dev.skep.kernel.batch.Batch;
import dev.skep.kernel.batch.Batcher;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.store.Database;
import dev.skep.store.SqlDialect;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports which tables of a database were written to, by any process. Other processes on a
 * PostgreSQL are notified at most ten times a second, however many commits there are: a
 * notification in each commit would make commits queue at the server. Thread-safe.
 */
public final class TableChangeNotifier implements Component {
    /** The PostgreSQL channel that notifies other processes. */
    static final String CHANNEL = "skep_written";

    private static final long BREATH_MILLIS = 100;

    /** More than there are tables; what is pending at the close is still sent. */
    private static final Batcher.Limits LIMITS =
            new Batcher.Limits(1_000, 1_000, Duration.ofSeconds(2));

    private final Database database;
    private final String process;

    /** Called with the tables that other processes write. */
    private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();

    /** Tables to report to other processes, each once. */
    private final Set<String> unsent = ConcurrentHashMap.newKeySet();

    private final Batcher<String> sending =
            new Batcher<>("table-news", LIMITS, this::notifyOthers, _ -> {});

    private final List<Database.Listening> here = new CopyOnWriteArrayList<>();
    private Database.@Nullable Listening elsewhere;

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
            elsewhere =
                    database.listen(CHANNEL, this::onNotification, () -> notifyListeners(Set.of()));
            sending.start();
            here.add(database.onWritten(this::written));
        }
    }

    private void written(Set<String> tables) {
        for (String table : tables) {
            if (unsent.add(table)) {
                boolean _ = sending.offer(table);
            }
        }
    }

    private void onNotification(String message) {
        String[] parts = message.split(" ", 2);
        if (parts.length == 2 && !parts[0].equals(process)) {
            notifyListeners(Set.copyOf(List.of(parts[1].split(",", -1))));
        }
    }

    private void notifyListeners(Set<String> tables) {
        listeners.forEach(listener -> listener.accept(tables));
    }

    private void notifyOthers(Batch<String> batch) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(BREATH_MILLIS);
        List<String> tables = batch.all();
        tables.forEach(unsent::remove);
        send(tables);
    }

    private void send(List<String> tables) {
        try {
            String message = process + " " + String.join(",", tables);
            database.write(tx -> tx.first("SELECT pg_notify(?, ?)", row -> true, CHANNEL, message));
        } catch (SkepException unreachable) {
            // Other processes lost their connection too, and read everything when it is back.
        }
    }

    /** Sends what was written until now to the other processes. */
    @Override
    public void close() {
        here.forEach(Database.Listening::close);
        if (elsewhere != null) {
            elsewhere.close();
        }
        sending.close();
    }
}
