package dev.skep.runner.managed;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a turn is about.
 *
 * @param wake why it begins: start, mail, talk, task, restart or budget
 * @param said what people said, each stored as a line of its own
 * @param notices everything else that the agent is to hear
 * @param task whether somebody waits for its answer
 */
record TurnInput(List<String> wake, List<String> said, List<String> notices, boolean task) {
    /** With one more thing that the agent is to hear, if there is one. */
    TurnInput with(Optional<String> notice) {
        return new TurnInput(
                wake, said, Stream.concat(notices.stream(), notice.stream()).toList(), task);
    }

    /** Both in one turn. */
    TurnInput and(TurnInput more) {
        return new TurnInput(
                Stream.concat(wake.stream(), more.wake.stream()).distinct().toList(),
                Stream.concat(said.stream(), more.said.stream()).toList(),
                Stream.concat(notices.stream(), more.notices.stream()).toList(),
                task || more.task);
    }
}
