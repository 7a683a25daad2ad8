package dev.skep.directory.module;

/**
 * Where a process listens, known once it does.
 *
 * @param localUrl where this machine reaches it
 * @param publicUrl where other machines reach it
 */
public record ProcessAddress(int port, String localUrl, String publicUrl) {}
