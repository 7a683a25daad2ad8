package dev.skep.directory.host;

/**
 * A hub this host is enrolled with, as it was when it enrolled.
 *
 * @param keyVersion the version of this host's key that the hub knows
 */
public record JoinedHub(String url, String hubId, String hubKey, int keyVersion) {}
