package dev.skep.directory.host;

import dev.skep.kernel.consent.Consents;
import java.util.Optional;

/**
 * A hub this host is enrolled with, by the id it had then.
 *
 * @param keyVersion the version of this host's key, by its own count, that the hub knows
 * @param allows what this host lets it do; empty in a key file from before hosts were asked
 */
public record JoinedHub(String url, String hubId, int keyVersion, Optional<Consents> allows) {}
