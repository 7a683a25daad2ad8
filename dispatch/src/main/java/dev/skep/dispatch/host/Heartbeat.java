package dev.skep.dispatch.host;

import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.identity.Principal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A host's heartbeat as the hub stores it.
 *
 * @param metrics a JSON object, or null for none
 * @param allows what the host lets this hub do, or null if it does not report that
 * @param facts what the host says of itself, or null if it does not
 */
public record Heartbeat(
        Principal.Host host,
        @Nullable String version,
        @Nullable Integer keyVersion,
        @Nullable String metrics,
        @Nullable Consents allows,
        @Nullable Map<String, String> facts) {

    public static Heartbeat plain(Principal.Host host) {
        return new Heartbeat(host, null, null, null, null, null);
    }
}
