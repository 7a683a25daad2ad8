package dev.skep.models.money;

/**
 * A call that may be made: its money is held, and stored as such.
 *
 * @param output how many tokens it may write, of all its answers together
 */
public record PaidCall(OpenCall open, BudgetDecision.Reserved reserved, long output) {}
