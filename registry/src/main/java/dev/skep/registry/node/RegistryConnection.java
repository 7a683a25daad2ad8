package dev.skep.registry.node;

/**
 * One open connection to the registry.
 *
 * @param number different for every connection of a process
 * @param address where it comes from, as an IP address
 * @param here whether it comes from this machine; through a proxy here it does not
 */
public record RegistryConnection(long number, String address, boolean here) {}
