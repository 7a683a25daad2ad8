package dev.skep.dispatch.host;

import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.identity.Principal;
import org.jspecify.annotations.Nullable;

/**
 * A host's heartbeat as the hub stores it.
 *
 * @param metrics a JSON object, or null for none
 * @param allows what the host lets this hub do, or null if it does not report that
 */
public record Heartbeat(
        Principal.Host host,
        @Nullable String version,
        @Nullable Integer keyVersion,
        @Nullable String metrics,
        @Nullable Consents allows) {

    public static Heartbeat plain(Principal.Host host) {
        return new Heartbeat(host, null, null, null, null);
    }
}
