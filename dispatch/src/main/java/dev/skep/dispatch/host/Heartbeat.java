package dev.skep.dispatch.host;

import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.identity.Principal;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * A host's heartbeat as the hub stores it.
 *
 * @param metrics a JSON object, or null for none
 * @param unwell whether the metrics are over a limit
 * @param allows what the host lets this hub do, or null if it does not report that
 * @param facts what the host says of itself, or null if it does not
 */
public record Heartbeat(
        Principal.Host host,
        @Nullable String version,
        @Nullable Integer keyVersion,
        @Nullable String metrics,
        boolean unwell,
        @Nullable Consents allows,
        @Nullable Map<String, String> facts) {

    public static Heartbeat plain(Principal.Host host) {
        return new Heartbeat(host, null, null, null, false, null, null);
    }
}
