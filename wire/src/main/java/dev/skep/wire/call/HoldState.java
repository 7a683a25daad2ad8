package dev.skep.wire.call;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.Arrays;
import java.util.Locale;

/** What a host did about the hold of all agents that its hub wanted last. */
public enum HoldState {
    /** Nothing of this hub holds its agents. */
    FREE,
    /** None of its agents works. */
    HELD,
    /** The owner of the host lifted it there. */
    LIFTED,
    /** The host does not let this hub steer its agents. */
    REFUSED;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static HoldState of(String label) {
        return Arrays.stream(values())
                .filter(state -> state.label().equals(label))
                .findFirst()
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.BAD_REQUEST,
                                        "field 'state' must be free, held, lifted or refused"));
    }
}
