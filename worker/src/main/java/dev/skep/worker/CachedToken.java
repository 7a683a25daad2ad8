package dev.skep.worker;

import dev.skep.directory.link.LinkToken;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A hub's token for as long as it is good, so that not every call asks for one. Thread-safe. */
final class CachedToken implements Supplier<String> {
    /** A token that the hub refuses early, as after a change of its keys, is soon dropped. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Supplier<LinkToken> fresh;
    private final InstantSource clock;
    private @Nullable String held;
    private Instant until = Instant.MIN;

    CachedToken(Supplier<LinkToken> fresh, InstantSource clock) {
        this.fresh = fresh;
        this.clock = clock;
    }

    @Override
    public synchronized String get() {
        Instant now = clock.instant();
        if (held == null || !now.isBefore(until)) {
            LinkToken token = fresh.get();
            Duration half = token.life().dividedBy(2);
            held = token.text();
            until = now.plus(half.compareTo(LONGEST) < 0 ? half : LONGEST);
        }
        return held;
    }
}
