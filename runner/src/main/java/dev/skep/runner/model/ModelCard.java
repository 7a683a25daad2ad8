package dev.skep.runner.model;

/**
 * What is known about a model before it is asked.
 *
 * @param name as agents' files write it, for example {@code claude-sonnet-4-5} or {@code
 *     scripted:alice.script.yaml}
 * @param contextTokens how much one call may hold
 */
public record ModelCard(String name, String provider, long contextTokens, Prices prices) {}
