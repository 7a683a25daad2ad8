package dev.skep.directory.host;

import dev.skep.kernel.consent.Consents;
import java.util.Optional;

/**
 * A hub this host is enrolled with, by the id it had then.
 *
 * @param keyVersion the version of this host's key, by its own count, that the hub knows
 * @param allows what this host lets it do; empty in a key file of an earlier version
 * @param hubKey the public key the hub last proved itself with at this address; empty if it is of a
 *     version that does not
 */
public record JoinedHub(
        String url,
        String hubId,
        int keyVersion,
        Optional<Consents> allows,
        Optional<String> hubKey) {

    public JoinedHub(String url, String hubId, int keyVersion, Optional<Consents> allows) {
        this(url, hubId, keyVersion, allows, Optional.empty());
    }
}
