package dev.skep.models.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A YAML mapping as text: single values are found and replaced in it, all else stays as it is. */
public final class YamlText {
    private final String text;
    private final Optional<Node> root;

    /** Takes a text that was read before. */
    public YamlText(String text) {
        this.text = text;
        this.root = YamlNodes.compose(LoadSettings.builder().build(), text);
    }

    /** Where the value of a key within another stands, as people count: line and column from 1. */
    public record Place(int line, int column) {}

    public Place place(String key, String within) {
        return value(key, within)
                .flatMap(Node::getStartMark)
                .map(mark -> new Place(mark.getLine() + 1, mark.getColumn() + 1))
                .orElse(new Place(1, 1));
    }

    /** The text with other values for some keys within a key, each in double quotes. */
    public String with(String key, Map<String, String> values) {
        record Change(int start, int end, String value) {}
        List<Change> changes = new ArrayList<>();
        values.forEach(
                (within, value) ->
                        value(key, within)
                                .ifPresent(
                                        node ->
                                                changes.add(
                                                        new Change(
                                                                index(node.getStartMark(), 0),
                                                                index(
                                                                        node.getEndMark(),
                                                                        text.length()),
                                                                value))));
        changes.sort(Comparator.comparingInt(Change::start));
        StringBuilder changed = new StringBuilder();
        int from = 0;
        for (Change change : changes) {
            if (change.start() < from) {
                continue; // an alias of what was replaced already
            }
            String old = text.substring(change.start(), change.end());
            changed.append(text, from, change.start())
                    .append('"')
                    .append(change.value())
                    .append('"')
                    .append(old.endsWith("\n") ? "\n" : "");
            from = change.end();
        }
        return changed.append(text, from, text.length()).toString();
    }

    private int index(Optional<Mark> mark, int missing) {
        return mark.map(m -> text.offsetByCodePoints(0, m.getIndex())).orElse(missing);
    }

    private Optional<Node> value(String key, String within) {
        return root.flatMap(node -> value(node, key)).flatMap(node -> value(node, within));
    }

    private static Optional<Node> value(Node node, String key) {
        if (!(node instanceof MappingNode mapping)) {
            return Optional.empty();
        }
        return mapping.getValue().stream()
                .filter(
                        tuple ->
                                tuple.getKeyNode() instanceof ScalarNode name
                                        && name.getValue().equals(key))
                .map(NodeTuple::getValueNode)
                .findFirst();
    }
}
