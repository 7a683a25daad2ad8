package dev.skep.benchmark.sync;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import dev.skep.sync.SyncStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A store that notes when mail was committed. A mail's subject is when its sender committed it, by
 * the machine's one monotonic clock, which processes share.
 */
final class ArrivalTimes implements SyncStore {
    private static final int SUBJECT = AgentTables.MAIL_MESSAGES.indexOf("subject");

    private final SyncStore store;
    private final List<Long> latencies = new ArrayList<>();

    ArrivalTimes(SyncStore store) {
        this.store = store;
    }

    @Override
    public <T> T read(Function<? super Reading, T> work) {
        return store.read(work);
    }

    @Override
    public <T> T write(Function<? super Writing, T> work) {
        List<Long> sent = new ArrayList<>();
        T result = store.write(tx -> work.apply(watched(tx, sent)));
        long now = System.nanoTime();
        synchronized (latencies) {
            sent.forEach(at -> latencies.add(now - at));
        }
        return result;
    }

    private static Writing watched(Writing tx, List<Long> sent) {
        return (Writing)
                Proxy.newProxyInstance(
                        ArrivalTimes.class.getClassLoader(),
                        new Class<?>[] {Writing.class},
                        (self, method, arguments) -> {
                            if (method.getName().equals("apply")) {
                                note((List<?>) arguments[1], sent);
                            }
                            try {
                                return method.invoke(tx, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    private static void note(List<?> page, List<Long> sent) {
        for (Object part : page) {
            if (part instanceof TableRows rows
                    && rows.table().name().equals(AgentTables.MAIL_MESSAGES.name())) {
                for (SyncRow row : rows.rows()) {
                    sent.add(Long.parseLong(row.text(SUBJECT)));
                }
            }
        }
    }

    /** The latencies noted since the last call, in nanoseconds, separated by commas. */
    String take() {
        synchronized (latencies) {
            String all = String.join(",", latencies.stream().map(String::valueOf).toList());
            latencies.clear();
            return all;
        }
    }

    int count() {
        synchronized (latencies) {
            return latencies.size();
        }
    }
}
