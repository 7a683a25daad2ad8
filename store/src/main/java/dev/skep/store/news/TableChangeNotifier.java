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
    /** Where PostgreSQL tells other processes. */
    static final String CHANNEL = "skep_written";

    private static final long BREATH_MILLIS = 100;

    /** More than there are tables; others hear at the close of what was written until then. */
    private static final Batcher.Limits LIMITS =
            new Batcher.Limits(1_000, 1_000, Duration.ofSeconds(2));

    private final Database database;
    private final String process;

    /** Told of what other processes write. */
    private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();

    /** Tables to tell others of, each once. */
    private final Set<String> untold = ConcurrentHashMap.newKeySet();

    private final Batcher<String> telling =
            new Batcher<>("table-news", LIMITS, this::tellOthers, _ -> {});

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
            elsewhere = database.listen(CHANNEL, this::heard, () -> tell(Set.of()));
            telling.start();
            here.add(database.onWritten(this::written));
        }
    }

    private void written(Set<String> tables) {
        for (String table : tables) {
            if (untold.add(table)) {
                boolean _ = telling.offer(table);
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

    private void tellOthers(Batch<String> batch) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(BREATH_MILLIS);
        List<String> tables = batch.all();
        tables.forEach(untold::remove);
        send(tables);
    }

    private void send(List<String> tables) {
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
        telling.close();
    }
}
