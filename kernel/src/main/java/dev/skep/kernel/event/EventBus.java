package dev.skep.kernel.event;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Sends events to this process's listeners, on the caller's thread and in order. Listeners must not
 * block; one that throws does not prevent the others from being called. Thread-safe.
 */
public final class EventBus {
    private final List<Consumer<? super FleetEvent>> listeners = new CopyOnWriteArrayList<>();

    /** Listens until the returned subscription is closed. */
    public Subscription subscribe(Consumer<? super FleetEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    public void publish(FleetEvent event) {
        for (Consumer<? super FleetEvent> listener : listeners) {
            try {
                listener.accept(event);
            } catch (RuntimeException e) {
                // A listener rebuilds from the store; losing one event to its own fault is its
                // loss.
                Thread.currentThread()
                        .getUncaughtExceptionHandler()
                        .uncaughtException(Thread.currentThread(), e);
            }
        }
    }

    /** Ends a subscription. */
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
