package dev.skep.models.yaml;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

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

    /** Whether two lists of nodes say the same, however they are written. */
    static boolean same(List<? extends Node> some, List<? extends Node> others) {
        if (some.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < some.size(); i++) {
            if (!same(some.get(i), others.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean same(Node one, Node other) {
        if (!one.getTag().equals(other.getTag())) {
            return false;
        }
        return switch (one) {
            case ScalarNode scalar ->
                    other instanceof ScalarNode o && o.getValue().equals(scalar.getValue());
            case SequenceNode list ->
                    other instanceof SequenceNode o && same(list.getValue(), o.getValue());
            case MappingNode mapping ->
                    other instanceof MappingNode o && same(nodes(mapping), nodes(o));
            default -> false;
        };
    }

    private static List<Node> nodes(MappingNode mapping) {
        return mapping.getValue().stream()
                .flatMap(tuple -> Stream.of(tuple.getKeyNode(), tuple.getValueNode()))
                .toList();
    }
}
