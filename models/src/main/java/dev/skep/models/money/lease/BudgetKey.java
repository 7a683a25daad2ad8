package dev.skep.models.money.lease;

/**
 * A budget of one hub.
 *
 * @param hub the id of the hub that lends it
 */
public record BudgetKey(String hub, String budget) {}
