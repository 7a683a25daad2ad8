package dev.skep.directory.secret;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something that is opened when it is first needed; a failure is tried again. Thread-safe. */
public final class OpenedOnce<T> implements Supplier<T> {
    private final Supplier<T> opener;
    private @Nullable T opened;

    public OpenedOnce(Supplier<T> opener) {
        this.opener = opener;
    }

    @Override
    public synchronized T get() {
        T known = opened;
        if (known == null) {
            known = opener.get();
            opened = known;
        }
        return known;
    }
}
