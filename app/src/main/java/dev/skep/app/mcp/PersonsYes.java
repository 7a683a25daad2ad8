package dev.skep.app.mcp;

import dev.skep.directory.secret.SealedSecrets;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.mcp.CallInput;
import dev.skep.transport.mcp.ToolOutcome;
import dev.skep.transport.route.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Questions that a person must have said yes to before a call is made. Nothing of them is kept: the
 * client brings back what it was asked, sealed for the caller, the call and the question, and it
 * counts for a few minutes. Processes of one hub share the key. Thread-safe.
 */
final class PersonsYes {
    private static final Duration COUNTS = Duration.ofMinutes(10);

    private final Supplier<SealedSecrets> secrets;
    private final InstantSource clock;

    /**
     * Opens no key yet.
     *
     * @param secrets opened when the first question is asked
     */
    PersonsYes(Supplier<SealedSecrets> secrets, InstantSource clock) {
        this.secrets = secrets;
        this.clock = clock;
    }

    /**
     * What a person said; missing unless it was said to this question, by this caller, lately.
     *
     * @param call the tool with its arguments
     */
    CallInput.Answer answer(Request asked, String call, String question, CallInput input) {
        boolean asksThis =
                input.state()
                        .flatMap(state -> end(state, purpose(asked, call, question)))
                        .filter(end -> clock.instant().isBefore(end))
                        .isPresent();
        return asksThis ? input.answer() : CallInput.Answer.MISSING;
    }

    ToolOutcome.Question question(Request asked, String call, String question) {
        String end = clock.instant().plus(COUNTS).toString();
        return new ToolOutcome.Question(
                question, secrets.get().seal(end, purpose(asked, call, question)));
    }

    private Optional<Instant> end(String state, String purpose) {
        try {
            return Optional.of(Instant.parse(secrets.get().open(state, purpose)));
        } catch (SkepException | IllegalArgumentException | DateTimeParseException notOurs) {
            return Optional.empty();
        }
    }

    private static String purpose(Request asked, String call, String question) {
        return String.join("\0", "mcp-yes", asked.principal().toString(), call, question);
    }
}
