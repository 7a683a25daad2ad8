package dev.skep.registry.node;

/**
 * One open connection to the registry.
 *
 * @param number different for every connection of a process
 * @param address where it comes from, as an IP address
 */
public record Peer(long number, String address) {}
