package dev.skep.models.gateway;

/** What OpenAI's service tiers cost beside the table's prices. */
final class OpenAiTier {
    /** The dearest factor of any model is 2.5. */
    private static final int PRIORITY = 250;

    private OpenAiTier() {}

    static int percent(String tier) throws RefusedCall {
        return switch (tier) {
            case "", "auto", "default", "flex" -> 100;
            case "priority" -> PRIORITY;
            default -> throw WireRules.withoutPrice("the service tier " + tier);
        };
    }
}
