package dev.skep.testkit.provider;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Decides what each call is answered; called on many threads at once. */
@FunctionalInterface
public interface ProviderScript {
    ProviderAnswer answer(ProviderCall call);

    /** One after the other, and the last for ever. */
    static ProviderScript of(ProviderAnswer... answers) {
        AtomicInteger next = new AtomicInteger();
        List<ProviderAnswer> all = List.of(answers);
        return _ -> all.get(Math.min(next.getAndIncrement(), all.size() - 1));
    }
}
