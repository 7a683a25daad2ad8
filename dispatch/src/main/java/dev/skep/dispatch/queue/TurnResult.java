package dev.skep.dispatch.queue;

/** What became of a report, and of asking for more work with it. */
public record TurnResult(ReportResult settlement, ClaimResult next) {}
