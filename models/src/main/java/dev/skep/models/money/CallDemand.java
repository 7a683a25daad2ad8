package dev.skep.models.money;

import dev.skep.models.Prices;

/**
 * What a call can take, known before it is made.
 *
 * @param prices those that count for it, with all its surcharges
 * @param prompt the most tokens it can be charged for reading
 * @param leastOutput with fewer tokens than these it is not worth asking
 * @param output the most tokens it wants to write
 */
public record CallDemand(Prices prices, long prompt, long leastOutput, long output) {}
