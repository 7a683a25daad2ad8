package dev.skep.directory.host;

/**
 * A hub this host is enrolled with, by the id it had then.
 *
 * @param keyVersion the version of this host's key, by its own count, that the hub knows
 */
public record JoinedHub(String url, String hubId, int keyVersion) {}
