package dev.skep.worker;

import dev.skep.directory.link.EnrolledHub;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.wire.call.HubCall;

/** What another feature does with each hub of this host, by calls of its own. */
@FunctionalInterface
public interface HubTask {
    /**
     * Makes calls to one hub, over whatever way is open. Throws SkepException where there is none.
     */
    @FunctionalInterface
    interface Calls {
        <A> A ask(HubCall<A> call);
    }

    /** Begins; the result ends it when this host leaves the hub. */
    Runnable join(EnrolledHub hub, HubConsent consent, Calls calls);
}
