package dev.skep.runner.model.scripted;

import dev.skep.runner.model.DollarPrices;
import dev.skep.runner.model.ModelReply.Failure;
import dev.skep.runner.model.ModelReply.Stop;
import dev.skep.runner.yaml.About;
import dev.skep.runner.yaml.DefaultsTo;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script as it is written. */
public record Script(
        @About("how many tokens it pretends to hold") @DefaultsTo("32768") long contextTokens,
        @About("what it pretends to cost") @Nullable DollarPrices prices,
        @About("tried from the first; the first whose conditions hold is the reply")
                List<Step> steps) {

    public Script {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("steps: needs at least one step");
        }
    }

    /** One possible reply. */
    public record Step(
            @About("when it applies; always if missing") @Nullable When when,
            @About("the text of the reply; {{1}} is a group of 'last', {{turn}} the turn")
                    @DefaultsTo("")
                    String say,
            @About("the commands of the reply") List<String> run,
            @About("how long the reply takes") @DefaultsTo("0s") Duration delay,
            @About("what it fails with instead of replying") @Nullable Fail fail,
            @About("the tokens it pretends to use; a quarter of the characters if missing")
                    @Nullable PretendUsage usage,
            @About("why the reply ends") @DefaultsTo("done") Stop stop) {}

    /** Conditions on what the model is shown; all of them have to hold. */
    public record When(
            @About("found in what came since the last reply") @Nullable Regex last,
            @About("found anywhere in the conversation") @Nullable Regex seen,
            @About("found nowhere in the conversation") @Nullable Regex unseen,
            @About("found in the system prompt") @Nullable Regex system,
            @About("exactly so many replies were given") @Nullable Integer turn,
            @About("at least so many replies were given") @Nullable Integer fromTurn,
            @About("at most so many replies were given") @Nullable Integer toTurn,
            @About("the number of replies is a multiple of it") @Nullable Integer every,
            @About("whether a summary is asked for instead of commands")
                    @Nullable Boolean summary) {
        public When {
            if (every != null && every < 1) {
                throw new IllegalArgumentException("every: starts at 1");
            }
        }
    }

    /** A failure on purpose. */
    public record Fail(
            @About("the kind of failure") @DefaultsTo("overloaded") Failure as,
            @About("what a provider would ask for") @Nullable Duration retryAfter,
            @About("how often it fails before the next step gets its turn; 0 is always")
                    @DefaultsTo("0")
                    int times) {}

    /** Tokens to pretend. */
    public record PretendUsage(
            @DefaultsTo("0") long input,
            @DefaultsTo("0") long output,
            @DefaultsTo("0") long cacheRead,
            @DefaultsTo("0") long cacheWrite) {}
}
