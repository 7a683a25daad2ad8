package dev.skep.models.yaml;

import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads YAML from untrusted authors. */
final class YamlNodes {
    private static final int DEEPEST = 50;

    private YamlNodes() {}

    /**
     * The document's root; empty for an empty document.
     *
     * @throws YamlEngineException if it is no YAML, or nests so deeply that reading it would
     *     exhaust the stack
     */
    static Optional<Node> compose(LoadSettings settings, String text) {
        int depth = 0;
        for (Event event : new Parse(settings).parseString(text)) {
            switch (event.getEventId()) {
                case MappingStart, SequenceStart -> depth++;
                case MappingEnd, SequenceEnd -> depth--;
                default -> {}
            }
            if (depth > DEEPEST) {
                throw new YamlEngineException("it nests deeper than %d levels".formatted(DEEPEST));
            }
        }
        return new Compose(settings).composeString(text);
    }
}
