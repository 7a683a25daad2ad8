package dev.skep.models.gateway;

import dev.skep.agents.cost.Cost;
import dev.skep.models.Prices;
import dev.skep.models.Usage;
import dev.skep.models.gateway.PromptTokenBounds.Measured;
import dev.skep.models.money.PaidCall;
import dev.skep.models.money.PaidCalls;

/** Turns what is held for one call into what it cost, once. Used by one thread. */
final class CallBooking {
    private final PaidCalls paid;
    private final PromptTokenBounds counts;
    private final GatewayAccount account;
    private final PaidCall call;
    private final CallPrices prices;
    private final Measured prompt;
    private boolean booked;

    CallBooking(
            PaidCalls paid,
            PromptTokenBounds counts,
            GatewayAccount account,
            PaidCall call,
            CallPrices prices,
            Measured prompt) {
        this.paid = paid;
        this.counts = counts;
        this.account = account;
        this.call = call;
        this.prices = prices;
        this.prompt = prompt;
    }

    /** What was counted, or the most it can be where nobody counted to the end. */
    void book(Usage usage) {
        if (booked) {
            return;
        }
        booked = true;
        Cost cost =
                paid.settle(
                        call,
                        usage.exact() ? call.open().source() : PaidCalls.INTERRUPTED,
                        usage,
                        micros(usage));
        paid.book(cost);
        if (usage.exact() && usage.prompt() > 0) {
            counts.counted(account.agent(), prompt, usage.prompt());
        }
        if (cost.micros() > 0 || cost.inputTokens() > 0) {
            account.listener().booked(cost);
        }
    }

    private long micros(Usage usage) {
        if (usage.exact()) {
            return prices.forPrompt(usage.prompt()).cost(usage);
        }
        if (usage.prompt() == 0) {
            return call.open().atMost();
        }
        Prices counted = prices.forPrompt(usage.prompt());
        Usage most =
                new Usage(
                        usage.input(),
                        Math.max(usage.output(), call.output()),
                        usage.cacheRead(),
                        usage.cacheWrite());
        return Math.min(counted.cost(most), call.open().atMost());
    }
}
