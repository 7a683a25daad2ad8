package dev.skep.models.scripted;

import dev.skep.models.DollarPrices;
import dev.skep.models.ModelReply.Failure;
import dev.skep.models.ModelReply.Stop;
import dev.skep.models.yaml.DefaultsTo;
import dev.skep.models.yaml.Description;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script as it is written. */
public record ModelScript(
        @Description("how many tokens it pretends to hold") @DefaultsTo("32768") long contextTokens,
        @Description("what it pretends to cost") @Nullable DollarPrices prices,
        @Description("tried from the first; the first whose conditions hold is the reply")
                List<Step> steps) {

    public ModelScript {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("steps: needs at least one step");
        }
    }

    /** One possible reply. */
    public record Step(
            @Description("when it applies; always if missing") @Nullable When when,
            @Description("the text of the reply; {{1}} is a group of 'last', {{turn}} the turn")
                    @DefaultsTo("")
                    String say,
            @Description("the commands of the reply") List<String> run,
            @Description("how long the reply takes") @DefaultsTo("0s") Duration delay,
            @Description("what it fails with instead of replying") @Nullable Fail fail,
            @Description("the tokens it pretends to use; a quarter of the characters if missing")
                    @Nullable PretendUsage usage,
            @Description("why the reply ends") @DefaultsTo("done") Stop stop) {}

    /** Conditions on what the model is shown; all of them have to hold. */
    public record When(
            @Description("found in what came since the last reply") @Nullable Regex last,
            @Description("found anywhere in the conversation") @Nullable Regex seen,
            @Description("found nowhere in the conversation") @Nullable Regex unseen,
            @Description("found in the system prompt") @Nullable Regex system,
            @Description("exactly so many replies were given") @Nullable Integer turn,
            @Description("at least so many replies were given") @Nullable Integer fromTurn,
            @Description("at most so many replies were given") @Nullable Integer toTurn,
            @Description("the number of replies is a multiple of it") @Nullable Integer every,
            @Description("whether a summary is asked for instead of commands")
                    @Nullable Boolean summary) {
        public When {
            if (every != null && every < 1) {
                throw new IllegalArgumentException("every: starts at 1");
            }
        }
    }

    /** A failure on purpose. */
    public record Fail(
            @Description("the kind of failure") @DefaultsTo("overloaded") Failure as,
            @Description("what a provider would ask for") @Nullable Duration retryAfter,
            @Description("how often it fails before the next step gets its turn; 0 is always")
                    @DefaultsTo("0")
                    int times) {}

    /** Tokens to pretend. */
    public record PretendUsage(
            @DefaultsTo("0") long input,
            @DefaultsTo("0") long output,
            @DefaultsTo("0") long cacheRead,
            @DefaultsTo("0") long cacheWrite) {}
}
