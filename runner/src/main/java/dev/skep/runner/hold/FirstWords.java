package dev.skep.runner.hold;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What each hub that may stop all agents said first after this process began: agents start no
 * earlier, so that those stopped while this host was away do not work for a moment. A hub that does
 * not answer delays them by a few seconds once: a host never needs a hub. Thread-safe.
 */
public final class FirstWords {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Set<String> silent = new HashSet<>();
    private final CountDownLatch heard = new CountDownLatch(1);
    private final Duration patience;
    private boolean waiting;

    public FirstWords() {
        this(PATIENCE);
    }

    FirstWords(Duration patience) {
        this.patience = patience;
    }

    /**
     * Begins to wait.
     *
     * @param hubs their addresses
     * @param then runs when agents may start, unless that is at once
     */
    public void start(Collection<String> hubs, Runnable then) {
        synchronized (this) {
            silent.addAll(hubs);
            waiting = !silent.isEmpty();
            if (!waiting) {
                heard.countDown();
                return;
            }
        }
        Thread.ofVirtual()
                .name("first-words")
                .start(
                        () -> {
                            await();
                            synchronized (this) {
                                waiting = false;
                            }
                            then.run();
                        });
    }

    /** A hub has said whether it holds the agents, or cannot say such a thing. */
    public synchronized void heard(String hub) {
        if (silent.remove(hub) && silent.isEmpty()) {
            heard.countDown();
        }
    }

    /** Waits as long as agents wait. */
    public void await() {
        if (waitsFor().isEmpty()) {
            return;
        }
        try {
            boolean unused = heard.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What agents wait for, in words; empty once they may start. */
    public synchronized Optional<String> waitsFor() {
        return waiting
                ? Optional.of("this runner asks its hubs first whether all agents are stopped")
                : Optional.empty();
    }
}
