package dev.skep.supervisor.view;

import dev.skep.kernel.id.Keyed;
import dev.skep.wire.call.OutputChunk;

/** A piece of a run's output, as a line of a log that is followed. */
public record OutputLine(String id, String stream, String text) implements Keyed {
    /** Ids are as long as each other, so that their order is the order of the pieces. */
    public static OutputLine of(OutputChunk piece) {
        return new OutputLine("%012d".formatted(piece.n()), piece.stream(), piece.text());
    }

    /** The number of the piece with this id; before the first for anything else. */
    public static long number(String id) {
        return id.matches("[0-9]{12}") ? Long.parseLong(id) : -1;
    }
}
