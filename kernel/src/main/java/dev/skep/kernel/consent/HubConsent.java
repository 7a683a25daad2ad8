package dev.skep.kernel.consent;

import java.util.function.Supplier;

/**
 * What this host lets one hub do, at every moment. A hub is known by the address its link was
 * dialled at, which TLS verifies: its own name may be forged.
 *
 * @param now what the host allows at this moment
 */
public record HubConsent(String address, Supplier<Consents> now) {
    /** A hub that may do everything, now and later. */
    public static HubConsent toAll(String address) {
        Consents all = Consents.OF_OWN_HUB.and(Consent.EXEC);
        return new HubConsent(address, () -> all);
    }

    public boolean has(Consent consent) {
        return now.get().has(consent);
    }

    /** The message for a caller that lacks this consent. */
    public String refusal(Consent missing) {
        return refusal(address, now.get(), missing);
    }

    /** The same for a hub that is known by its address only. */
    public static String refusal(String address, Consents allowed, Consent missing) {
        return "this host does not allow '%s' to the hub %s; on the host, run: skep allow %s %s"
                .formatted(missing.label(), address, address, allowed.and(missing));
    }
}
